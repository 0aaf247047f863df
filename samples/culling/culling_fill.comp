/* SPDX-License-Identifier: MIT */
/* Fills a draw command for each visible instance. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define SET 0
#include "culling.h"

struct Command {
    uint index_count, instance_count, first_index;
    int vertex_offset;
    uint first_instance;
};

layout(local_size_x = LOCAL_SIZE) in;
layout(set = SET, binding = SHAPES, std430) readonly buffer Shapes { Shape shapes[]; };
layout(set = SET, binding = VIEWS) uniform Views { View view; };
layout(set = SET, binding = SEEN_BEFORE) readonly buffer SeenBefore { uint seen_before[]; };
layout(set = SET, binding = COMMANDS) writeonly buffer Commands { Command commands[]; };
layout(set = SET, binding = NEW_COMMANDS) writeonly buffer NewCommands { Command new_commands[]; };
layout(set = SET, binding = VISIBLE) readonly buffer Visible { uint visible[]; };
layout(set = SET, binding = COUNT) readonly buffer Count { uint count; };

uint mesh_of(uint i)
{
    return shapes[i].look & 0xffu;
}

/* Stores a command for the next frame, and one for this frame, which is empty if the instance has
 * been drawn. */
void store(uint i, uint position)
{
    Mesh mesh = view.meshes[mesh_of(i)];
    Command command = Command(mesh.index_count, 1u, mesh.first_index, mesh.vertex_offset, i);
    commands[position] = command;
    command.instance_count = 1u - (seen_before[i / 32u] >> i % 32u & 1u);
    new_commands[position] = command;
}

void main()
{
    uint position = gl_GlobalInvocationID.x;
    if (position < count)
        store(visible[position], position);
}
