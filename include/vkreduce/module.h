/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/module.h: the application's own functions, as SPIR-V that the library links into its
 * kernels.
 *
 * A hook is a function of the application that the library calls for each element:
 *
 *     hook        signature                    where
 *     map         T name(uint i)               VkrMap::hook: the elements of an input that is read
 *                 T name(E element, uint i)    the same; made of the elements that the view has
 *     predicate   bool name(uint i)            VkrFlagView::hook: the flags that a compaction, a
 *                                              mask or the segments of a scan read
 *                 bool name(E element, uint i) VkrFlagView::hook of a compaction's predicate; the
 *                                              elements are those of VkrCompactInfo::input
 *     sink        void name(uint i,            VkrCompactInfo::sink: what is done with each element
 *                           uint position)     that the compaction keeps
 *
 * T is float, int or uint, or a vector of two to four of them; i is the index of the element in the
 * view, below 2^32. A function may read buffers and images, call other functions, and loop. So one
 * reduction finds the bounds of a mesh from indexed vertices, and one compaction tests bounding
 * spheres against frusta.
 *
 * E is a scalar, or a vector with as many components as an element has: float for elements of type
 * f32, f16 or bf16, and for float and normalised texels; int for i32, i16, i8 and signed texels;
 * uint for u32, u16, u8 and unsigned texels; double, int64_t and uint64_t, or vectors of two of
 * them, for f64, i64 and u64. The function gets all bits of a number: subnormals are not flushed
 * before, and NaN keeps its payload.
 *
 * In GLSL:
 *
 *     #version 450
 *     #extension GL_GOOGLE_include_directive : require
 *     #include "vkreduce/hook.glsl"
 *     layout(set = 1, binding = 0) readonly buffer Spheres { vec4 spheres[]; };
 *     layout(set = 1, binding = 1) uniform Frustum { vec4 planes[6]; };
 *     bool is_visible(uint i)
 *     {
 *         for (int p = 0; p < 6; p++)
 *             if (dot(planes[p], vec4(spheres[i].xyz, 1.0)) < -spheres[i].w)
 *                 return false;
 *         return true;
 *     }
 *     VKR_HOOKS(is_visible(0u))
 *
 * `glslc -O0 -fshader-stage=compute` compiles this. The library finds functions by their names,
 * which glslc -O removes; or, where a module has functions with Export linkage, only these, as
 * Slang and DXC make them.
 *
 * What a function may not do: it has neither barriers, nor shared (Workgroup) memory, nor subgroup
 * operations, nor built-in inputs such as gl_GlobalInvocationID; it declares no push constants, no
 * specialisation constants, and no descriptors outside of set 1; it does not call itself. The
 * capabilities that it declares must be enabled on the device. The module must be valid, as
 * spirv-val says: the library checks what it needs itself, and no byte of a module makes it crash,
 * but a driver trusts what it gets.
 *
 * A sink is called exactly once for each kept element that is stored, that is, whose position is
 * below the capacity of the kept outputs: with its index in the input, without firstIndex, and with
 * the position at which kept outputs hold it, which starts at `append`. Positions of 2^32 - 1 and
 * more are left out. The order of the calls is not defined, and they can run at the same time. The
 * first call comes after those outputs of the compaction are written that its uses name, so a sink
 * can read these, and fill draw commands, for example, in buffers of its own. It cannot write
 * keptIndices.
 *
 * How often another function is called for an element, and for which elements at the same time, is
 * not defined, so a function that writes must write the same each time. It is not called for an
 * index at or past the count, the GPU's count included. It must not write the elements that it
 * takes. Two functions of one kind must not have the same name. Results are defined as if the
 * elements, or flags, that the function returns lay in memory, so at VKR_DETERMINISM_DEVICE the
 * sums of a map are those of its values; but a driver may round the float operations in a function
 * as it likes.
 *
 * An invocation calls a function for up to 32 elements. Some drivers of CPUs end the loops of an
 * invocation after 65,535 trips in all, so a function should have fewer than 2,000 there.
 *
 * The predicate of a compaction is called by the kernels that count and move elements, and may run
 * while outputs are written, unless its uses name one of these. It is called in a pass of its own
 * where its flags are written to VkrFlagView::range; where its uses name an output, more than 9
 * ranges, or an input that it writes; where its module has loops and an invocation tests many
 * elements; where it has a set and the device allows fewer than 16 storage buffers for a stage; for
 * stream reduction; and for a single pass over elements that do not fit maxStorageBufferRange.
 *
 * What other functions return, and predicates that are called in a pass of their own, is written to
 * scratch first: 4 bytes for each component of an element, and one bit for each flag. They read
 * elements of 4 or 8 bytes for each component where they lie; texels, smaller types and elements
 * that lie very far apart are copied first, to 4 bytes for each component. A sink needs a list of
 * kept indices: keptIndices, if they are packed and start at 0, without append; otherwise 4 bytes
 * of scratch for each position.
 */
#ifndef VKREDUCE_MODULE_H
#define VKREDUCE_MODULE_H

#include "core.h"
#include "recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A module of functions, checked once and used by any number of operations and threads. */
typedef struct VkrModule_T *VkrModule;

#define VKR_MAX_MODULE_SIZE 4194304u   /* bytes */
#define VKR_MAX_MODULE_FUNCTIONS 1024u /* that have names */
#define VKR_MAX_MODULE_CAPABILITIES 32u

typedef struct VkrModuleInfo {
    const char *label; /* optional: for the names of pipelines, and for messages */
    /* SPIR-V in the byte order of the host, which is copied: up to version 1.3, or up to 1.5 or 1.6
     * where the context's apiVersion is 1.2 or 1.3. */
    const uint32_t *code;
    size_t codeSize; /* bytes; at most VKR_MAX_MODULE_SIZE */
    /* The layout of descriptor set 1; VK_NULL_HANDLE where no function has descriptors. It must
     * live as long as the module. It has no dynamic buffers, and at most as many storage buffers as
     * the device allows for a stage less those that the library needs: 3, or 8 where the device
     * allows 16 or more. */
    VkDescriptorSetLayout setLayout;
    /* SPIR-V's numbers of the capabilities for which the application has enabled features itself,
     * and which the library does not know: it knows those of VkrFeature, and those that every
     * device has. At most VKR_MAX_MODULE_CAPABILITIES. Where there are any, the module may have any
     * SPIR-V extension. */
    uint32_t capabilityCount;
    const uint32_t *capabilities;
} VkrModuleInfo;

/*
 * vkrCreateModule copies and checks the code; the context must outlive the module. Pipelines are
 * compiled by vkrPrepare or vkrEnd, for each pair of a kernel and a function, and kept until the
 * module is destroyed. Destroy it after all recordings that use it have executed, and while no
 * recorder has collected an operation that uses it. vkrDestroyModule ignores NULL.
 */
VKR_API VkrResult vkrCreateModule(VkrContext context, const VkrModuleInfo *info, VkrModule *module);
VKR_API void vkrDestroyModule(VkrModule module);

typedef enum VkrHookKind {
    VKR_HOOK_KIND_MAP = 0,
    VKR_HOOK_KIND_PREDICATE = 1,
    VKR_HOOK_KIND_SINK = 2,
    VKR_HOOK_KIND_LOAD = 3, /* VkrMonoid::hook, of a type that only states have */
    VKR_HOOK_KIND_COUNT = 4,
    VKR_HOOK_KIND_MAX_ENUM = 0x7fffffff
} VkrHookKind;

/* A function that can be a hook. */
typedef struct VkrHookInfo {
    const char *name; /* lives as long as the module */
    VkrHookKind kind;
    /* Of what a map returns, and of the elements that a map, a predicate or a load takes; UNDEFINED
     * and 0 where there is no such thing. */
    VkrType type;        /* F32, I32 or U32 */
    uint32_t components; /* of a load: the words of a state */
    VkrType elementType; /* these, which stand for smaller types, too; or F64, I64 or U64 */
    uint32_t elementComponents;
} VkrHookInfo;

/* Lists the functions of a module that can be hooks, each once. A load is listed as such only if it
 * cannot be a map or a predicate, which can be loads of monoids too. With hooks NULL,
 * *hookCount becomes their
 * number; else at most *hookCount entries are written and *hookCount becomes their number. */
VKR_API VkrResult vkrGetModuleHooks(VkrModule module, uint32_t *hookCount, VkrHookInfo *hooks);

#define VKR_MAX_HOOK_USES 12u

/*
 * A function, and what it accesses. A zero-initialised hook is none. The structure, and the arrays
 * to which it points, are read by the call vkrCmd.. only.
 *
 * Uses are the ranges of buffers and the subresources of images that the function reads or writes.
 * They take part in the order of operations of a recording, and in vkrGetUses, as if the library
 * itself accessed them; `stages` is ignored, and `access` has bits of SHADER_READ, SHADER_WRITE and
 * UNIFORM_READ, which uniform buffers need; 0 is SHADER_READ. What no operation of the recording
 * writes need not be named. vkrGetReduceLayout and vkrGetScanType read module and name only.
 */
typedef struct VkrHook {
    VkrModule module;
    const char *name;    /* of the function */
    VkDescriptorSet set; /* for set 1, where the module has a setLayout; it must be valid until
                          * execution ends */
    uint32_t useCount;   /* at most VKR_MAX_HOOK_USES */
    const VkrUse *uses;
} VkrHook;

/*
 * A monoid: a type T of states and functions of one module on them, by which reductions and scans
 * combine elements:
 *
 *     hook      T name(uint i)             the state of element i
 *               T name(E element, uint i)  the same; E is as above, and the elements are input's
 *     combine   T name(T a, T b)           associative
 *     identity  T name()                   combine(identity(), a) and combine(a, identity()) are a
 *     finish    R name(T state)            optional: what is written in place of a state; R is
 *                                          float, int or uint, or a vector of two to four of them
 *
 * T is a scalar, vector, matrix, array or struct of up to 64 bytes. A result consists of words, 4
 * bytes each: the scalars of T in the order of its members, or the components of R. Scalars of 64
 * bits have two words, the lower one first; a boolean is 0 or 1; integers of 8 and 16 bits are
 * extended, by their sign if they have one, and floats of 16 bits are stored as f32. The names of
 * the functions must not be overloaded. Results start at multiples of 4 bytes, and
 * follow each other without gaps unless the output has a stride.
 *
 * Where monoid is given, these members are used, and all others must be 0:
 *  - VkrReduceInfo: label, input if `hook` takes elements, without a map, count, gpuCount, output,
 *    determinism, and segments of kind NONE, ROWS, COLUMNS, WINDOWS, OFFSETS or KEYS; with the
 *    first three also mask, and with NONE also pieces.
 *    VkrReduceLayout has the words of a result as `components`, and no `results`.
 *  - VkrScanInfo: label, flags, input likewise, count, gpuCount, determinism, gpuInitial, total,
 *    segments, and buffer, offset, size, bufferSize and stride of output. gpuInitial and total are
 *    states, not results of finish, and total can be gpuInitial of a later scan.
 * `i` is the index modulo 2^32; VKR_COUNT_ALL is allowed if there is an input, which may exceed
 * maxStorageBufferRange. In a reduction with segments of kind WINDOWS, OFFSETS or KEYS the count is
 * at most 2^32 - 2^16, and maxStorageBufferRange must reach the input. determinism is not
 * VKR_DETERMINISM_DEVICE: results have the same bits in every run on the same device, but devices
 * may round the operations of functions differently. Results of integers, and of others that are
 * exact, are the same everywhere.
 *
 * Operands keep the order of the elements: a reversed scan gives combine(x[i], .. x[n - 1]). Where
 * `commutative` is set, reductions may combine elements in another order, which lets neighbouring
 * invocations read neighbouring elements. Which parentheses are used is not defined. A reduction
 * calls `hook` once for each element that its mask keeps; with WINDOWS, once for each element and
 * up to 254 times more for each window; a scan two or three times. There may be calls of combine
 * with identity() as an operand.
 *
 * If the module has loops, an invocation calls `hook` up to 32 times and combine up to 70 times;
 * with OFFSETS and KEYS, where the count is then at most 10^9, `hook` up to 254 times and combine
 * up to 300 times; with WINDOWS, `hook` up to 254 times and combine up to 1,300 times; with pieces,
 * `hook` up to 64 times and combine up to 80 times. The loops of both together should have fewer
 * than 60,000 trips there (see above). Functions of a module without loops are called for more
 * elements, which is faster, and so are packed elements of 32 bits that `hook` takes, since several
 * of them are loaded at once.
 *
 * These must fit maxStorageBufferRange, and the operation is VKR_ERROR_UNSUPPORTED otherwise: in a
 * scan by a module with loops a state for each run of 2,048 elements, of fewer if results are so
 * large that it does not reach those of a run; in a reduction with WINDOWS a state for each 128
 * elements; with KEYS the starts of runs.
 *
 * The set and the uses of `hook` are those of all functions. What they access, and the input, must
 * not overlap what the operation writes. The layout of set 1 has at most as many storage buffers as
 * the device allows for a stage less 6.
 *
 * Source of the algorithms: reduce-then-scan as in G. E. Blelloch, "Prefix Sums and Their
 * Applications" (1990); ranges by blocks as in segment trees (J. L. Bentley, 1977).
 */
typedef struct VkrMonoid {
    const VkrHook *hook;
    const char *combine; /* names of functions in hook->module */
    const char *identity;
    const char *finish; /* or NULL */
    VkBool32 commutative;
} VkrMonoid;

#ifdef __cplusplus
}
#endif

#endif
