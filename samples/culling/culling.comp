/* SPDX-License-Identifier: MIT */
/* The functions of culling.c. `glslc -O0` compiles them, since the library finds them by name. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"
#define SET 1
#include "culling.glsl"

struct Command { /* VkDrawIndexedIndirectCommand */
    uint index_count, instance_count, first_index;
    int vertex_offset;
    uint first_instance;
};

layout(set = SET, binding = SHAPES, std430) readonly buffer Shapes { Shape shapes[]; };
layout(set = SET, binding = SEEN_BEFORE) readonly buffer SeenBefore { uint seen_before[]; };
layout(set = SET, binding = COMMANDS) writeonly buffer Commands { Command commands[]; };
layout(set = SET, binding = NEW_COMMANDS) writeonly buffer NewCommands { Command new_commands[]; };

/* The predicate. */
bool is_visible(uint i)
{
    return may_be_seen(spheres[i]);
}

/* The sink: stores a command for the next frame, and one for this frame, which is empty if the last
 * frame knew the instance. */
void list_draw(uint i, uint position)
{
    Mesh mesh = view.meshes[shapes[i].look & 0xffu];
    Command command = Command(mesh.index_count, 1u, mesh.first_index, mesh.vertex_offset, i);
    commands[position] = command;
    command.instance_count = 1u - (seen_before[i / 32u] >> i % 32u & 1u);
    new_commands[position] = command;
}

VKR_HOOKS(is_visible(0u); list_draw(0u, 0u))
