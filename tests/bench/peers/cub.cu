// SPDX-License-Identifier: MIT
// CUB's DeviceReduce on a CUDA device. Device time is the distance of two events on a stream that a
// waiting kernel holds back until everything is queued, so that no launch is in it.
#include <cub/device/device_reduce.cuh>
#include "peer.hpp"
#include "range.hpp"

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
    void *data, *output, *scratch;
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

template <typename T> std::vector<double> fetch(const void *output, unsigned count)
{
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), output, count * sizeof(T), cudaMemcpyDeviceToHost));
    return std::vector<double>(values.begin(), values.end());
}

// `call(scratch, size)` is one of CUB's two-phase functions.
template <typename Out, typename Call>
peer::arm make_arm(device &d, const char *op, const char *type, unsigned results, Call call)
{
    size_t size = 0;
    CHECK(call(nullptr, size));
    if (size > d.scratch_size) {
        CHECK(cudaFree(d.scratch));
        CHECK(cudaMalloc(&d.scratch, size));
        d.scratch_size = size;
    }
    return {op, type, [&d, call] { return run(d, call); },
            [&d, call, results] {
                run(d, call); // the arms share the output
                return fetch<Out>(d.output, results);
            }};
}

template <typename T>
void add_arms(std::vector<peer::arm> &arms, device &d, const char *type, int64_t n)
{
    const T *in = static_cast<const T *>(d.data);
    T *out = static_cast<T *>(d.output);
    arms.push_back(make_arm<T>(d, "min,max", type, 2, [=](void *scratch, size_t &size) {
        return cub::DeviceReduce::TransformReduce(scratch, size, in,
                                                  reinterpret_cast<range<T> *>(out), n, widen<T>(),
                                                  to_range<T>(), range<T>::none());
    }));
    arms.push_back(make_arm<T>(d, "min", type, 1, [=](void *scratch, size_t &size) {
        return cub::DeviceReduce::Min(scratch, size, in, out, n);
    }));
    arms.push_back(make_arm<T>(d, "sum", type, 1, [=](void *scratch, size_t &size) {
        return cub::DeviceReduce::Sum(scratch, size, in, out, n);
    }));
    arms.push_back(make_arm<int64_t>(d, "argmin", type, 1, [=](void *scratch, size_t &size) {
        return cub::DeviceReduce::ArgMin(scratch, size, in, out + 2,
                                         reinterpret_cast<int64_t *>(out), n);
    }));
}

} // namespace

int main(int argc, char **argv)
{
    peer::settings s = peer::parse(argc, argv);
    cudaDeviceProp properties;
    device d{};
    char driver[64];
    CHECK(cudaGetDeviceProperties(&properties, 0));
    std::vector<float> data = peer::random_f32(*std::max_element(s.sizes.begin(), s.sizes.end()));
    CHECK(cudaMalloc(&d.data, 4 * data.size()));
    CHECK(cudaMalloc(&d.output, 64));
    CHECK(cudaMemcpy(d.data, data.data(), 4 * data.size(), cudaMemcpyHostToDevice));
    CHECK(cudaEventCreate(&d.start));
    CHECK(cudaEventCreate(&d.stop));
    std::snprintf(driver, sizeof driver, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
                  CUB_SUBMINOR_VERSION);
    return peer::measure({"cub", properties.name, driver}, s, data, [&](uint64_t n) {
        std::vector<peer::arm> arms;
        add_arms<float>(arms, d, "f32", int64_t(n));
        add_arms<int32_t>(arms, d, "i32", int64_t(n));
        add_arms<uint32_t>(arms, d, "u32", int64_t(n));
        return arms;
    });
}
