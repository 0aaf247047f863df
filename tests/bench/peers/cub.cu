// SPDX-License-Identifier: MIT
// CUB's reductions, also of segments, scans, compactions, sorts and searches on a CUDA device.
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include "cub_ordered.hpp"
#include "moves.hpp"
#include "range.hpp"

namespace {

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

template <typename T> struct above {
    T limit;
    __device__ bool operator()(T x) const { return x > limit; }
};

struct least {
    template <typename T> __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};

// Whether the output is the kept words and then, in reverse order, the words of `rest`.
bool holds(const device &d, const std::vector<uint32_t> &kept,
           const std::vector<uint32_t> &rest = {})
{
    std::vector<uint32_t> all = fetch<uint32_t>(d.output, kept.size() + rest.size());
    return fetch<int64_t>(d.count, 1)[0] == int64_t(kept.size()) &&
           std::equal(kept.begin(), kept.end(), all.begin()) &&
           std::equal(rest.rbegin(), rest.rend(), all.begin() + std::ptrdiff_t(kept.size()));
}

template <typename T>
void add_scans(std::vector<peer::arm> &arms, device &d, const std::vector<float> &data,
               const char *type, int64_t n)
{
    const T *in = static_cast<const T *>(d.data);
    T *out = static_cast<T *>(d.output);
    auto sums = [&data, n](const device &d) {
        return peer::has_sums<T>(data, fetch<T>(d.output, uint64_t(n)));
    };
    auto minima = [&data, n](const device &d) {
        return peer::has_minima<T>(data, fetch<T>(d.output, uint64_t(n)));
    };
    arms.push_back(make_move(d, "scan sum", type, 8.0 * double(n), sums,
                             [=](void *scratch, size_t &size) {
                                 return cub::DeviceScan::InclusiveSum(scratch, size, in, out, n);
                             }));
    arms.push_back(make_move(
        d, "scan min", type, 8.0 * double(n), minima, [=](void *scratch, size_t &size) {
            return cub::DeviceScan::InclusiveScan(scratch, size, in, out, least(), n);
        }));
}

template <typename T>
void add_compactions(std::vector<peer::arm> &arms, device &d, const peer::references &known,
                     const char *type, int64_t n)
{
    const T *in = static_cast<const T *>(d.data);
    T *out = static_cast<T *>(d.output);
    int64_t *count = static_cast<int64_t *>(d.count);
    for (unsigned share : peer::shares) {
        above<T> test{peer::limit<T>(share)};
        const std::vector<uint32_t> *kept = &known.kept.at(share);
        arms.push_back(make_move(
            d, "compact " + std::to_string(share), type, 4.0 * double(n + int64_t(kept->size())),
            [kept](const device &d) { return holds(d, *kept); },
            [=](void *scratch, size_t &size) {
                return cub::DeviceSelect::If(scratch, size, in, out, count, n, test);
            }));
    }
}

// Compactions that are measured with only one share.
void add_others(std::vector<peer::arm> &arms, device &d, const peer::references &known, int64_t n)
{
    const float *in = static_cast<const float *>(d.data);
    const uint32_t *runs = static_cast<const uint32_t *>(d.runs);
    const unsigned char *flags = static_cast<const unsigned char *>(d.flags);
    float *out = static_cast<float *>(d.output);
    uint32_t *starts = static_cast<uint32_t *>(d.output), *lengths = starts + n;
    int64_t *count = static_cast<int64_t *>(d.count);
    above<float> test{peer::limit<float>(peer::chosen_share)};
    const peer::references *k = &known;
    const std::vector<uint32_t> *kept = &known.kept.at(peer::chosen_share);
    double words = double(n), stored = double(kept->size()), heads = double(known.heads.size());
    std::string share = " " + std::to_string(peer::chosen_share),
                run_share = " " + std::to_string(peer::run_share);
    arms.push_back(make_move(
        d, "partition" + share, "f32", 8.0 * words,
        [k, kept](const device &d) { return holds(d, *kept, k->rejected); },
        [=](void *scratch, size_t &size) {
            return cub::DevicePartition::If(scratch, size, in, out, count, n, test);
        }));
    arms.push_back(make_move(
        d, "flags" + share, "f32", 5.0 * words + 4.0 * stored,
        [kept](const device &d) { return holds(d, *kept); },
        [=](void *scratch, size_t &size) {
            return cub::DeviceSelect::Flagged(scratch, size, in, flags, out, count, n);
        }));
    arms.push_back(make_move(
        d, "unique" + run_share, "u32", 4.0 * (words + heads),
        [k](const device &d) { return holds(d, k->heads); },
        [=](void *scratch, size_t &size) {
            return cub::DeviceSelect::Unique(scratch, size, runs, starts, count, n);
        }));
    arms.push_back(make_move(
        d, "run-lengths" + run_share, "u32", 4.0 * (words + 2.0 * heads),
        [k, lengths](const device &d) {
            return holds(d, k->heads) && fetch<uint32_t>(lengths, k->lengths.size()) == k->lengths;
        },
        [=](void *scratch, size_t &size) {
            return cub::DeviceRunLengthEncode::Encode(scratch, size, runs, starts, lengths, count,
                                                      n);
        }));
}

// Where row i starts.
struct start_of {
    int64_t length;
    __host__ __device__ int64_t operator()(int64_t i) const { return i * length; }
};

// With --segments these arms replace all others.
void add_rows(std::vector<peer::arm> &arms, device &d, const std::vector<float> &data, int64_t n)
{
    const float *in = static_cast<const float *>(d.data);
    float *out = static_cast<float *>(d.output);
    arms.push_back(make_arm<float>(d, "sum", "f32", 1, [=](void *scratch, size_t &size) {
        return cub::DeviceReduce::Sum(scratch, size, in, out, n);
    }));
    for (int64_t length = 2; length <= 1 << 24; length *= 2) {
        int64_t rows = n / length;
        auto starts = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                      start_of{length});
        if (n % length != 0)
            continue;
        arms.push_back(make_move(
            d, "rows " + std::to_string(length), "f32", 4.0 * double(n + rows),
            [=, &data](const device &d) {
                return peer::has_rows(data, fetch<float>(d.output, uint64_t(rows)),
                                      uint64_t(length));
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceSegmentedReduce::Sum(scratch, size, in, out, rows, starts,
                                                       starts + 1);
            }));
    }
}

device open_device(const std::vector<float> &data, const std::string &mode)
{
    device d{};
    std::vector<unsigned char> flags = peer::mask(data, data.size(), peer::chosen_share);
    std::vector<uint32_t> runs = peer::runs(data, data.size());
    size_t bytes = 4 * data.size();
    CHECK(cudaMalloc(&d.data, bytes));
    CHECK(cudaMalloc(&d.runs, bytes));
    CHECK(cudaMalloc(&d.flags, flags.size()));
    CHECK(cudaMalloc(&d.output, mode == "--ordered" ? ordered_size(data.size()) : 2 * bytes + 64));
    CHECK(cudaMalloc(&d.count, sizeof(uint64_t)));
    CHECK(cudaMemcpy(d.data, data.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d.runs, runs.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d.flags, flags.data(), flags.size(), cudaMemcpyHostToDevice));
    CHECK(cudaEventCreate(&d.start));
    CHECK(cudaEventCreate(&d.stop));
    return d;
}

} // namespace

int main(int argc, char **argv)
{
    peer::settings s = peer::parse(argc, argv, {"--segments", "--ordered"});
    cudaDeviceProp properties;
    char driver[64];
    CHECK(cudaGetDeviceProperties(&properties, 0));
    std::vector<float> data = peer::random_f32(*std::max_element(s.sizes.begin(), s.sizes.end()));
    device d = open_device(data, s.mode);
    ordered inputs(s);
    peer::references known;
    std::snprintf(driver, sizeof driver, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
                  CUB_SUBMINOR_VERSION);
    return peer::measure({"cub", properties.name, driver}, s, data, [&](uint64_t n) {
        std::vector<peer::arm> arms;
        if (s.mode == "--segments") {
            add_rows(arms, d, data, int64_t(n));
            return arms;
        }
        if (s.mode == "--ordered") {
            inputs.open(data, n);
            inputs.add_arms(arms, d);
            return arms;
        }
        known = peer::references(data, n);
        add_arms<float>(arms, d, "f32", int64_t(n));
        add_arms<int32_t>(arms, d, "i32", int64_t(n));
        add_arms<uint32_t>(arms, d, "u32", int64_t(n));
        add_scans<uint32_t>(arms, d, data, "u32", int64_t(n));
        add_scans<float>(arms, d, data, "f32", int64_t(n));
        add_compactions<uint32_t>(arms, d, known, "u32", int64_t(n));
        add_compactions<float>(arms, d, known, "f32", int64_t(n));
        add_others(arms, d, known, int64_t(n));
        return arms;
    });
}
