// SPDX-License-Identifier: MIT
// How the program for CUB times and verifies arms. Device time is the time between two events on a
// stream that a waiting kernel blocks until everything is queued, so it includes no launch.
#ifndef CUB_HPP
#define CUB_HPP

#include <cuda_runtime.h>
#include "peer.hpp"

namespace {

#define CHECK(call) check(call, #call)
void check(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "cub: %s failed: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
}

constexpr unsigned long long queueing_ns = 60000;

__global__ void hold(unsigned long long ns)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < ns);
}

struct device {
    void *data, *runs, *flags, *output, *count, *scratch;
    size_t scratch_size;
    cudaEvent_t start, stop;
};

double host_ns()
{
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(now).count();
}

template <typename Call> peer::times run(const device &d, Call call)
{
    peer::times t;
    float milliseconds;
    size_t size = d.scratch_size;
    double begin = host_ns();
    CHECK(call(d.scratch, size));
    CHECK(cudaStreamSynchronize(nullptr));
    t.submit = host_ns() - begin;
    hold<<<1, 1>>>(queueing_ns);
    CHECK(cudaEventRecord(d.start));
    CHECK(call(d.scratch, size));
    CHECK(cudaEventRecord(d.stop));
    CHECK(cudaEventSynchronize(d.stop));
    CHECK(cudaEventElapsedTime(&milliseconds, d.start, d.stop));
    t.device = double(milliseconds) * 1e6;
    return t;
}

template <typename T> std::vector<T> fetch(const void *output, uint64_t count)
{
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), output, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

// `call(scratch, size)` is one of CUB's two-phase functions.
template <typename Call> void reserve(device &d, Call call)
{
    size_t size = 0;
    CHECK(call(nullptr, size));
    if (size <= d.scratch_size)
        return;
    CHECK(cudaFree(d.scratch));
    CHECK(cudaMalloc(&d.scratch, size));
    d.scratch_size = size;
}

template <typename Out, typename Call>
peer::arm make_arm(device &d, const char *op, const char *type, unsigned results, Call call)
{
    reserve(d, call);
    return {op, type, [&d, call] { return run(d, call); },
            [&d, call, results] {
                run(d, call); // the arms share the output
                std::vector<Out> values = fetch<Out>(d.output, results);
                return std::vector<double>(values.begin(), values.end());
            }};
}

// `right(d)` verifies the output and the count.
template <typename Call, typename Right>
peer::arm make_move(device &d, const std::string &op, const char *type, double bytes, Right right,
                    Call call)
{
    reserve(d, call);
    return {op, type, [&d, call] { return run(d, call); }, nullptr,
            [&d, call, right] {
                CHECK(cudaMemset(d.count, 0xff, sizeof(uint64_t)));
                run(d, call);
                return right(d);
            },
            bytes};
}

} // namespace

#endif
