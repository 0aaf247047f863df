/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "sentence.h"

enum { MAX_NAME = 40 };

/* Instructions that sentences are about, mostly. */
#define OPCODES(X)                                                                                 \
    X(Undef)                                                                                       \
    X(Name)                                                                                        \
    X(ExtInst)                                                                                     \
    X(MemoryModel)                                                                                 \
    X(EntryPoint)                                                                                  \
    X(TypeInt)                                                                                     \
    X(TypeFloat)                                                                                   \
    X(TypeArray)                                                                                   \
    X(TypeStruct)                                                                                  \
    X(TypePointer)                                                                                 \
    X(TypeFunction)                                                                                \
    X(TypeForwardPointer)                                                                          \
    X(Constant)                                                                                    \
    X(ConstantComposite)                                                                           \
    X(Function)                                                                                    \
    X(FunctionParameter)                                                                           \
    X(FunctionEnd)                                                                                 \
    X(FunctionCall)                                                                                \
    X(Variable)                                                                                    \
    X(Load)                                                                                        \
    X(Store)                                                                                       \
    X(AccessChain)                                                                                 \
    X(Decorate)                                                                                    \
    X(DecorationGroup)                                                                             \
    X(GroupDecorate)                                                                               \
    X(GroupMemberDecorate)                                                                         \
    X(ImageSampleImplicitLod)                                                                      \
    X(ImageSampleDrefImplicitLod)                                                                  \
    X(ImageQueryLod)                                                                               \
    X(IAdd)                                                                                        \
    X(FAdd)                                                                                        \
    X(DPdx)                                                                                        \
    X(DPdy)                                                                                        \
    X(Fwidth)                                                                                      \
    X(EmitVertex)                                                                                  \
    X(ControlBarrier)                                                                              \
    X(MemoryBarrier)                                                                               \
    X(Phi)                                                                                         \
    X(Label)                                                                                       \
    X(Branch)                                                                                      \
    X(BranchConditional)                                                                           \
    X(Switch)                                                                                      \
    X(Kill)                                                                                        \
    X(Return)                                                                                      \
    X(ReturnValue)                                                                                 \
    X(GroupNonUniformElect)                                                                        \
    X(GroupNonUniformAll)                                                                          \
    X(GroupNonUniformAny)                                                                          \
    X(GroupNonUniformBroadcast)                                                                    \
    X(GroupNonUniformBroadcastFirst)                                                               \
    X(GroupNonUniformBallot)                                                                       \
    X(GroupNonUniformShuffle)                                                                      \
    X(GroupNonUniformShuffleXor)                                                                   \
    X(GroupNonUniformIAdd)                                                                         \
    X(GroupNonUniformFAdd)                                                                         \
    X(SubgroupBallotKHR)

/* Capabilities that devices may lack, or that are for other kinds of modules. */
#define CAPABILITIES(X)                                                                            \
    X(Geometry)                                                                                    \
    X(Kernel)                                                                                      \
    X(Float16)                                                                                     \
    X(Float64)                                                                                     \
    X(Int8)                                                                                        \
    X(Int16)                                                                                       \
    X(Int64)                                                                                       \
    X(Int64Atomics)                                                                                \
    X(Sampled1D)                                                                                   \
    X(SampledBuffer)                                                                               \
    X(ImageBuffer)                                                                                 \
    X(ImageQuery)                                                                                  \
    X(StorageImageExtendedFormats)                                                                 \
    X(StorageImageReadWithoutFormat)                                                               \
    X(StorageImageWriteWithoutFormat)                                                              \
    X(GroupNonUniform)                                                                             \
    X(StorageBuffer16BitAccess)                                                                    \
    X(UniformAndStorageBuffer16BitAccess)                                                          \
    X(StorageBuffer8BitAccess)                                                                     \
    X(UniformAndStorageBuffer8BitAccess)                                                           \
    X(VariablePointersStorageBuffer)                                                               \
    X(VariablePointers)                                                                            \
    X(VulkanMemoryModel)                                                                           \
    X(PhysicalStorageBufferAddresses)                                                              \
    X(ShaderNonUniform)                                                                            \
    X(RuntimeDescriptorArray)                                                                      \
    X(AtomicFloat32AddEXT)

vkr_sentence vkr_start_sentence(char *text, size_t room)
{
    if (room > 0)
        text[0] = '\0';
    return (vkr_sentence){text, room};
}

static void say_bytes(vkr_sentence *s, const char *bytes, size_t length)
{
    if (s->room == 0)
        return;
    length = length < s->room ? length : s->room - 1;
    memcpy(s->to, bytes, length);
    s->to += length;
    s->room -= length;
    s->to[0] = '\0';
}

void vkr_say(vkr_sentence *s, const char *text)
{
    say_bytes(s, text, strlen(text));
}

void vkr_say_name(vkr_sentence *s, const char *name, size_t length)
{
    for (size_t i = 0; i < length && i < MAX_NAME; i++)
        say_bytes(s, name[i] > ' ' && name[i] <= '~' ? &name[i] : "?", 1);
    if (length > MAX_NAME)
        vkr_say(s, "..");
}

void vkr_say_number(vkr_sentence *s, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    say_bytes(s, digits + at, sizeof digits - at);
}

/* A number and its name. */
typedef struct named {
    uint32_t number;
    const char *name;
} named;

static bool say_named(vkr_sentence *s, uint32_t number, const named *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].number == number) {
            vkr_say(s, rows[i].name);
            return true;
        }
    }
    return false;
}

void vkr_say_opcode(vkr_sentence *s, uint32_t opcode)
{
#define ROW(name) {SpvOp##name, "Op" #name},
    static const named rows[] = {OPCODES(ROW)};
#undef ROW
    if (say_named(s, opcode, rows, sizeof rows / sizeof rows[0]))
        return;
    vkr_say(s, "opcode ");
    vkr_say_number(s, opcode);
}

void vkr_say_capability(vkr_sentence *s, uint32_t capability)
{
#define ROW(name) {SpvCapability##name, #name},
    static const named rows[] = {CAPABILITIES(ROW)};
#undef ROW
    if (!say_named(s, capability, rows, sizeof rows / sizeof rows[0]))
        vkr_say_number(s, capability);
}
