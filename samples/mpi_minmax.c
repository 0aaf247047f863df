/* SPDX-License-Identifier: MIT */
/*
 * Heat in a plate, on as many devices as there are ranks: mpirun -n 4 build/samples/mpi_minmax
 *
 * Each rank has some rows of the grid, and after each step sends its first and last row to its
 * neighbours. Minimum, maximum, sum and place of the largest change over all ranks have the same
 * bits for any number of ranks.
 */
#include "app.h"
#include "vkreduce/mpi.h"

#define WIDTH 257u
#define HEIGHT 255u
#define SMALL 0.35f /* the largest change of the last step */
#define MAX_STEPS 1000u
#define USAGE (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT)

const char app_name[] = "mpi_minmax";
static const uint32_t code[] =
#include "mpi_jacobi.comp.inc"
    ;

typedef struct plate {
    uint32_t width, height, first, rows; /* push constants: this rank's rows */
} plate;

static void say(void *data, VkrResult result, const char *sentence)
{
    (void)data, (void)result;
    fprintf(stderr, "%s: %s\n", app_name, sentence);
}

/* Devices are dealt to the ranks of a machine in turn. */
static unsigned choose_device(void)
{
    VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
    VkInstance instance;
    MPI_Comm machine;
    int local;
    uint32_t count = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local);
    MPI_Comm_free(&machine);
    CHECK(volkInitialize());
    CHECK(vkCreateInstance(&info, NULL, &instance));
    volkLoadInstance(instance);
    CHECK(vkEnumeratePhysicalDevices(instance, &count, NULL));
    vkDestroyInstance(instance, NULL);
    return count != 0 ? (unsigned)local % count : 0;
}

/* Sends the rows at both ends to the neighbours, whose rows become this rank's outer ones. */
static void exchange_rows(float *grid, const plate *p, int rank, int ranks)
{
    const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(grid + WIDTH, WIDTH, MPI_FLOAT, above, 0, grid + WIDTH * (p->rows + 1), WIDTH,
                 MPI_FLOAT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grid + WIDTH * p->rows, WIDTH, MPI_FLOAT, below, 1, grid, WIDTH, MPI_FLOAT, above,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, ranks, thread_level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &thread_level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > (int)HEIGHT)
        DIE(BAD_INPUT, "there are %d ranks, but at most %u may be\n", ranks, HEIGHT);
    gpu g = {0};
    VkrMpi mpi;
    char index[16];
    snprintf(index, sizeof index, "%u", choose_device());
    open_gpu(&g, index);
    const VkrMpiInfo info = {MPI_COMM_WORLD, g.context, g.instance, g.physical,
                             g.device,       g.family,  g.queue,    vkGetInstanceProcAddr,
                             .message = say};
    check_vkr(vkrCreateMpi(&info, &mpi));

    /* Two grids, of which each step reads one and writes the other one, and the changes. */
    const uint32_t first = HEIGHT * (uint32_t)rank / (uint32_t)ranks;
    const uint32_t end = HEIGHT * ((uint32_t)rank + 1) / (uint32_t)ranks;
    const plate p = {WIDTH, HEIGHT, first, end - first};
    const VkDeviceSize size = WIDTH * p.rows * sizeof(float);
    const VkDeviceSize grid_size = size + 2 * WIDTH * sizeof(float);
    const buffer grids[2] = {create_buffer(&g, grid_size, USAGE, ON_HOST),
                             create_buffer(&g, grid_size, USAGE, ON_HOST)};
    const buffer change = create_buffer(&g, size, USAGE, ON_DEVICE);
    for (uint32_t i = 0; i < WIDTH * (p.rows + 2); i++) /* the upper edge of the plate is hot */
        ((float *)grids[0].map)[i] = first + i / WIDTH <= 1 ? (float)(i % WIDTH) / 4 : 0.0f;

    VkPipelineLayout layout;
    descriptor_set sets[2];
    for (int i = 0; i < 2; i++) {
        const buffer *const bound[3] = {&grids[i], &grids[!i], &change};
        descriptor rows[3];
        for (int k = 0; k < 3; k++)
            rows[k] = (descriptor){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT,
                                   .data = bound[k]};
        sets[i] = create_descriptors(&g, rows, 3);
    }
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof p};
    VkPipelineLayoutCreateInfo layout_info = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &sets[0].layout, 1, &range};
    CHECK(vkCreatePipelineLayout(g.device, &layout_info, NULL, &layout));
    VkPipeline pipeline = create_compute_pipeline(&g, layout, code, sizeof code);
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(&g, 1, &cmd);
    /* The results lie in the order of the operators' bits. */
    struct {
        float min, max, sum;
        uint32_t argmax;
    } result = {.max = 2 * SMALL};
    const VkrReduceInfo reduce = {.ops = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_ARGMAX,
                                  .input = {change.handle, .size = size, .type = VKR_TYPE_F32},
                                  .count = WIDTH * p.rows,
                                  .determinism = VKR_DETERMINISM_DEVICE};
    for (uint32_t step = 0; result.max > SMALL && step < MAX_STEPS; step++) {
        begin_commands(cmd);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1,
                                &sets[step % 2].handle, 0, NULL);
        vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof p, &p);
        vkCmdDispatch(cmd, (WIDTH * p.rows + 63) / 64, 1, 1);
        wait_for(cmd, &computed, &read_by_host);
        submit_commands(&g, cmd, VK_NULL_HANDLE);
        CHECK(vkQueueWaitIdle(g.queue));
        exchange_rows(grids[(step + 1) % 2].map, &p, rank, ranks);
        check_vkr(vkrMpiReduce(mpi, &(VkrMpiReduceInfo){&reduce, &result, sizeof result, NULL}));
        if (rank == 0 && (step % 10 == 0 || result.max <= SMALL))
            printf("step %3u: |change| %a to %a at (%u, %u), sum %a\n", step, (double)result.min,
                   (double)result.max, result.argmax % WIDTH, result.argmax / WIDTH,
                   (double)result.sum);
    }

    vkrDestroyMpi(mpi);
    vkDestroyCommandPool(g.device, pool, NULL);
    vkDestroyPipeline(g.device, pipeline, NULL);
    vkDestroyPipelineLayout(g.device, layout, NULL);
    for (int i = 0; i < 2; i++) {
        destroy_descriptors(&g, &sets[i]);
        destroy_buffer(&g, &grids[i]);
    }
    destroy_buffer(&g, &change);
    close_gpu(&g);
    return MPI_Finalize();
}
