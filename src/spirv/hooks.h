/* SPDX-License-Identifier: MIT */
/*
 * Users' functions ("hooks"): reads the SPIR-V module that has them, and checks what they may not
 * contain. link.h puts them into a kernel's module.
 *
 * Any bytes may come in. The library never crashes, hangs or reads out of bounds, whatever they
 * are. But only what is listed here is checked: the module must be valid as spirv-val says, and one
 * that is not can make the driver fail.
 *
 * A function that cannot be used has a sentence that names it and the instruction. Sentences have
 * no period, so that the caller can put one into a longer message.
 *
 * All functions but vkr_read_hooks only read, so several threads may use the same module.
 */
#ifndef VKR_SPIRV_HOOKS_H
#define VKR_SPIRV_HOOKS_H

#include "module.h"

enum {
    VKR_MAX_HOOK_WORDS = 1048576,  /* of a module: 4 MiB */
    VKR_MAX_HOOK_BOUND = 1048576,  /* of its ids */
    VKR_MAX_HOOK_CALLS = 32,       /* a function, those that it calls, and so on */
    VKR_MAX_HOOK_PARAMETERS = 8,   /* of a hook */
    VKR_HOOK_SENTENCE = 512,       /* bytes that suffice for every sentence */
    VKR_HOOK_SET = 1,              /* the descriptor set of a hook's resources */
    VKR_HOOK_VERSION_1_3 = 0x10300 /* as in a module's header */
};

/* A function that may be a hook: one with Export linkage; in a module without these, one that has a
 * name (OpName) and is no entry point. */
typedef struct vkr_hook_function {
    const char *name;     /* in the words, and not terminated: it ends before the first "(" */
    uint32_t name_length; /* in bytes */
    uint32_t id;          /* of its OpFunction */
} vkr_hook_function;

/* The known properties of an id. */
typedef struct vkr_hook_id {
    uint32_t wrong;  /* of a global: the instruction because of which hooks may not use it, or 0;
                      * of a function: its first instruction that a hook may not have, or, if there
                      * is none, that of a function that it calls */
    uint32_t caller; /* while calls are followed: the function from which this one was reached */
    uint32_t resume; /* where to go on in this one afterwards */
    uint8_t calls;   /* of a function that has been followed: the number of nested calls, and 1 */
    uint8_t flags;   /* hook_check.c */
} vkr_hook_id;

/* A module that was read. It points into the words and the memory that vkr_read_hooks got, which
 * must stay. */
typedef struct vkr_hooks {
    vkr_module module;
    vkr_hook_function *functions; /* in the order of the module's names or linkage */
    uint32_t function_count;
    uint32_t version; /* VKR_HOOK_VERSION_1_3 etc. */
    uint32_t code;    /* the index of the first function's first instruction */
    vkr_hook_id *ids; /* by id */
} vkr_hooks;

/* The size in bytes of the memory that reading a module of `count` words needs; at most 64 bytes if
 * it is certain to be refused. */
size_t vkr_hooks_size(const uint32_t *words, size_t count);

/* Reads a module of `count` words into memory of that size, which must be aligned as malloc aligns.
 * Returns false and writes a sentence if it cannot be read: it is not SPIR-V, or has something that
 * module.h does not support. `sentence` has `room` bytes, and is always terminated. What is wrong
 * with one function only is said when that function is wanted. */
bool vkr_read_hooks(const uint32_t *words, size_t count, void *memory, vkr_hooks *hooks,
                    char *sentence, size_t room);

/* What a context supports, apart from SPIR-V's capabilities Matrix and Shader. */
typedef struct vkr_hook_support {
    uint32_t version; /* the highest one: VKR_HOOK_VERSION_1_3 etc. */
    const uint32_t *capabilities;
    uint32_t capability_count;
    const char *const *extensions; /* of SPIR-V: "SPV_KHR_8bit_storage" */
    uint32_t extension_count;
    bool any_extension; /* of which the capabilities say all that matters */
} vkr_hook_support;

/* Checks what the module declares for all of its functions: version, capabilities, extensions, and
 * the memory model. Returns false and writes a sentence if the context does not support it. */
bool vkr_check_hooks(const vkr_hooks *hooks, const vkr_hook_support *support, char *sentence,
                     size_t room);

/* ---- Functions ---- */

typedef enum vkr_hook_kind {
    VKR_HOOK_VOID,
    VKR_HOOK_BOOL,
    VKR_HOOK_INT,
    VKR_HOOK_UINT,
    VKR_HOOK_FLOAT,
    VKR_HOOK_STATE, /* any type that can be a state (layout.h), the same one in all places */
    VKR_HOOK_OTHER  /* any other type; never in a signature */
} vkr_hook_kind;

/* A scalar or a vector, or a state. */
typedef struct vkr_hook_type {
    vkr_hook_kind kind;
    uint32_t bits;       /* of a number: 8, 16, 32 or 64; else 0 */
    uint32_t components; /* 1 for a scalar, 2 to 4 for a vector; 0 for void and states */
} vkr_hook_type;

/* What a hook must look like. Parameters of the hook may be values, or pointers to Function
 * storage: GLSL's compilers make either. */
typedef struct vkr_signature {
    vkr_hook_type result;
    uint32_t parameter_count;
    vkr_hook_type parameters[VKR_MAX_HOOK_PARAMETERS];
} vkr_signature;

#define VKR_HOOK_TYPE_VOID ((vkr_hook_type){VKR_HOOK_VOID, 0, 0})
#define VKR_HOOK_TYPE_BOOL ((vkr_hook_type){VKR_HOOK_BOOL, 0, 1})
#define VKR_HOOK_TYPE_UINT ((vkr_hook_type){VKR_HOOK_UINT, 32, 1})
#define VKR_HOOK_TYPE_INT ((vkr_hook_type){VKR_HOOK_INT, 32, 1})
#define VKR_HOOK_TYPE_FLOAT ((vkr_hook_type){VKR_HOOK_FLOAT, 32, 1})
#define VKR_HOOK_TYPE_STATE ((vkr_hook_type){VKR_HOOK_STATE, 0, 0})

/* A function that can be linked. */
typedef struct vkr_hook {
    const vkr_hooks *hooks;
    uint32_t function; /* the id of its OpFunction */
    uint32_t state;    /* the id of the type that stands where the signature has a state, or 0 */
} vkr_hook;

/* Finds a function by its name, and checks its signature, and what it and the functions that it
 * calls contain. Returns false and writes a sentence if there is none, or it cannot be used:
 *
 *     the module has no function keep: its functions are load and combine
 *     keep must be bool keep(uint), but its second parameter is a float
 *     keep calls count, which has OpControlBarrier, but hooks must not wait for other invocations
 */
bool vkr_find_hook(const vkr_hooks *hooks, const char *name, const vkr_signature *signature,
                   vkr_hook *hook, char *sentence, size_t room);

/* The type of a result or a parameter, by the id of its type; a pointer to Function storage counts
 * as what it points to. The kind is OTHER if it is neither scalar nor vector. */
vkr_hook_type vkr_type_of_hook(const vkr_hooks *hooks, uint32_t type);

#endif
