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
 * first call comes after all outputs of the compaction are written, so a sink can read these, and
 * fill draw commands, for example, in buffers of its own. It cannot write keptIndices.
 *
 * How often another function is called for an element, and for which elements at the same time, is
 * not defined, so a function that writes must write the same each time. It is not called for an
 * index at or past the count, the GPU's count included. Results are defined as if the elements, or
 * flags, that the function returns lay in memory, so at VKR_DETERMINISM_DEVICE the sums of a map
 * are those of its values; but a driver may round the float operations in a function as it likes.
 *
 * An invocation calls a function for up to 32 elements. Some drivers of CPUs end the loops of an
 * invocation after 65,535 trips in all, so a function should have fewer than 2,000 there.
 *
 * What a function returns is written to scratch first: 4 bytes for each component of an element,
 * and one bit for each flag. Elements of 4 or 8 bytes for each component are read where they lie,
 * at any stride; texels and smaller types are copied first, to 4 bytes for each component. A sink
 * needs a list of kept indices: keptIndices, if they are packed and start at 0, without append;
 * otherwise 4 bytes of scratch for each position.
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
     * the device allows for a stage less 3, which the library needs. */
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
    VKR_HOOK_KIND_COUNT = 3,
    VKR_HOOK_KIND_MAX_ENUM = 0x7fffffff
} VkrHookKind;

/* A function that can be a hook. */
typedef struct VkrHookInfo {
    const char *name; /* lives as long as the module */
    VkrHookKind kind;
    /* Of what a map returns, and of the elements that a map or a predicate takes; UNDEFINED and 0
     * where there is no such thing. */
    VkrType type; /* F32, I32 or U32 */
    uint32_t components;
    VkrType elementType; /* these, which stand for smaller types, too; or F64, I64 or U64 */
    uint32_t elementComponents;
} VkrHookInfo;

/* Lists the functions of a module that can be hooks. With hooks NULL, *hookCount becomes their
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

#ifdef __cplusplus
}
#endif

#endif
