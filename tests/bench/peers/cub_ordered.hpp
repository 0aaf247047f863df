// SPDX-License-Identifier: MIT
// --ordered: CUB's sorts, selections, searches, and reductions and scans by key. CUB sorts pairs
// where the library sorts indices, and neither sorts in place nor, in rows, promises to be stable.
#ifndef CUB_ORDERED_HPP
#define CUB_ORDERED_HPP

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cuda/execution_policy.h>
#if __has_include(<cub/device/device_topk.cuh>) &&                                                 \
    __has_include(<cuda/__execution/output_ordering.h>)
#include <cub/device/device_topk.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/__execution/require.h>
#define HAS_TOP_K 1
#endif
#include "cub.hpp"
#include "ordered.hpp"

namespace
{

// Bytes of the output for n elements: keys of at most 8 bytes, and a payload of at most 16.
inline uint64_t ordered_size(uint64_t n)
{
    return 8 * std::max(n, peer::needles) + 16 * n + 256;
}

// Where the second output starts.
inline char *second_of(void *output, uint64_t n)
{
    return static_cast<char *>(output) + (8 * n + 255) / 256 * 256;
}

// The first element of row i, or where the elements end.
struct row_start {
    int64_t length, count;
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return i * length < count ? i * length : count;
    }
};

// Four words that move as one.
struct payload {
    uint32_t words[4];
};

struct plus {
    template <typename T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

// The inputs of one size. Only arms that the filters select have theirs.
class ordered
{
    const peer::settings &settings;
    std::vector<void *> owned;
    std::vector<float> floats;
    std::vector<uint64_t> bits;
    uint64_t n = 0;

    template <typename T> const T *upload(const std::vector<T> &values)
    {
        void *memory;
        CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
        CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
        owned.push_back(memory);
        return static_cast<const T *>(memory);
    }

    // The values with the bits of the floats.
    template <typename T> std::vector<T> values_as() const
    {
        std::vector<T> values(n);
        std::memcpy(values.data(), floats.data(), n * sizeof(T));
        return values;
    }

    template <typename T>
    void add_sort(std::vector<peer::arm> &arms, device &d, const std::string &op, const char *type,
                  const std::vector<T> &values, int end_bit = 8 * sizeof(T))
    {
        if (!peer::is_wanted(settings, op, type))
            return;
        const T *in = upload(values);
        T *out = static_cast<T *>(d.output);
        auto data = std::make_shared<std::vector<T>>(values);
        int64_t count = int64_t(n);
        auto before = [end_bit](T a, T b) {
            return end_bit == 16 && sizeof(T) == 4 ? uint16_t(a) < uint16_t(b) : a < b;
        };
        arms.push_back(make_move(
            d, op, type, 2.0 * double(n * sizeof(T)),
            [data, before](const device &d) {
                return peer::is_sorted_row(*data, fetch<T>(d.output, data->size()), data->size(),
                                           before);
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceRadixSort::SortKeys(scratch, size, in, out, count, 0, end_bit);
            }));
    }

    void add_descending(std::vector<peer::arm> &arms, device &d,
                        const std::vector<uint32_t> &values)
    {
        if (!peer::is_wanted(settings, "sort descending in-place", "u32"))
            return;
        const uint32_t *in = upload(values);
        uint32_t *out = static_cast<uint32_t *>(d.output);
        auto data = std::make_shared<std::vector<uint32_t>>(values);
        int64_t count = int64_t(n);
        arms.push_back(make_move(
            d, "sort descending in-place", "u32", 8.0 * double(n),
            [data](const device &d) {
                return peer::is_sorted_row(*data, fetch<uint32_t>(d.output, data->size()),
                                           data->size(), std::greater<uint32_t>());
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceRadixSort::SortKeysDescending(scratch, size, in, out, count);
            }));
    }

    // Sorts pairs of a key and an entry of V, whose first word counts entries.
    template <typename T, typename V>
    void add_pairs(std::vector<peer::arm> &arms, device &d, const std::string &op, const char *type,
                   const std::vector<T> &keys)
    {
        if (!peer::is_wanted(settings, op, type))
            return;
        std::vector<V> entries(n);
        for (uint64_t i = 0; i < n; i++) {
            uint32_t index = uint32_t(i);
            std::memcpy(&entries[i], &index, sizeof index);
        }
        const T *in = upload(keys);
        const V *from = upload(entries);
        T *out = static_cast<T *>(d.output);
        V *to = reinterpret_cast<V *>(second_of(d.output, n));
        auto data = std::make_shared<std::vector<T>>(keys);
        int64_t count = int64_t(n);
        arms.push_back(make_move(
            d, op, type, 2.0 * double(n * (sizeof(T) + sizeof(V))),
            [data, to](const device &d) {
                std::vector<T> sorted = fetch<T>(d.output, data->size());
                std::vector<uint32_t> indices(data->size());
                std::vector<V> moved = fetch<V>(to, data->size());
                bool good = true;
                for (uint64_t i = 0; i < data->size(); i++) {
                    std::memcpy(&indices[i], &moved[i], sizeof(uint32_t));
                    good &= indices[i] < data->size() && (*data)[indices[i]] == sorted[i];
                }
                return good && peer::is_stable_order(*data, indices);
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceRadixSort::SortPairs(scratch, size, in, out, from, to, count);
            }));
    }

    void add_rows(std::vector<peer::arm> &arms, device &d, const std::vector<uint32_t> &values,
                  uint64_t length)
    {
        if (!peer::is_wanted(settings, "sort rows " + std::to_string(length), "u32"))
            return;
        const uint32_t *in = upload(values);
        uint32_t *out = static_cast<uint32_t *>(d.output);
        auto data = std::make_shared<std::vector<uint32_t>>(values);
        int64_t count = int64_t(n), rows = int64_t((n + length - 1) / length);
        auto starts = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
                                                      row_start{int64_t(length), count});
        arms.push_back(make_move(
            d, "sort rows " + std::to_string(length), "u32", 8.0 * double(n),
            [data, length](const device &d) {
                return peer::is_sorted_row(*data, fetch<uint32_t>(d.output, data->size()), length,
                                           std::less<uint32_t>());
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceSegmentedSort::SortKeys(scratch, size, in, out, count, rows,
                                                          starts, starts + 1);
            }));
    }

    // The order of CUB's results is not specified.
    void add_top_k([[maybe_unused]] std::vector<peer::arm> &arms, [[maybe_unused]] device &d,
                   [[maybe_unused]] uint64_t k)
    {
#ifdef HAS_TOP_K
        if (!peer::is_wanted(settings, "topk " + std::to_string(k), "f32"))
            return;
        const float *in = upload(floats);
        float *out = static_cast<float *>(d.output);
        int64_t count = int64_t(n), wanted = int64_t(std::min(k, n));
        arms.push_back(make_move(
            d, "topk " + std::to_string(k), "f32", 4.0 * double(n + k),
            [this, wanted](const device &d) {
                std::vector<float> found = fetch<float>(d.output, uint64_t(wanted));
                std::sort(found.begin(), found.end(), std::greater<float>());
                return peer::is_greatest(floats, found);
            },
            [=](void *scratch, size_t &size) {
                auto any = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                    cuda::execution::output_ordering::unsorted);
                return cub::DeviceTopK::MaxKeys(scratch, size, in, out, count, wanted, any);
            }));
#endif
    }

    template <typename T>
    void add_by_key(std::vector<peer::arm> &arms, device &d, const char *type, const uint32_t *keys,
                    std::shared_ptr<std::vector<uint32_t>> host_keys, uint64_t length)
    {
        std::string name = " sum " + peer::run_name(length);
        if (!peer::is_wanted(settings, "scan-by-key" + name, type) &&
            !peer::is_wanted(settings, "reduce-by-key" + name, type))
            return;
        auto data = std::make_shared<std::vector<T>>(values_as<T>());
        const T *in = upload(*data);
        T *sums = static_cast<T *>(d.output);
        uint32_t *unique = static_cast<uint32_t *>(d.output);
        T *totals = reinterpret_cast<T *>(second_of(d.output, n));
        int64_t *runs = static_cast<int64_t *>(d.count), count = int64_t(n);
        double stored = double(runs_of(*host_keys));
        arms.push_back(make_move(
            d, "scan-by-key" + name, type, 12.0 * double(n),
            [data, host_keys](const device &d) {
                return peer::has_sums_by_key(*host_keys, *data, fetch<T>(d.output, data->size()));
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceScan::InclusiveSumByKey(scratch, size, keys, in, sums, count);
            }));
        arms.push_back(make_move(
            d, "reduce-by-key" + name, type, 8.0 * (double(n) + stored),
            [data, host_keys, totals](const device &d) {
                uint64_t found = uint64_t(fetch<int64_t>(d.count, 1)[0]);
                return found <= data->size() &&
                       peer::has_runs(*host_keys, *data, fetch<uint32_t>(d.output, found),
                                      fetch<T>(totals, found));
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceReduce::ReduceByKey(scratch, size, keys, unique, in, totals, runs,
                                                      plus(), count);
            }));
    }

    static uint64_t runs_of(const std::vector<uint32_t> &keys)
    {
        uint64_t runs = 1;
        for (uint64_t i = 1; i < keys.size(); i++)
            runs += keys[i] != keys[i - 1];
        return runs;
    }

    void add_run_lengths(std::vector<peer::arm> &arms, device &d, const uint32_t *keys,
                         std::shared_ptr<std::vector<uint32_t>> host_keys, uint64_t length)
    {
        if (!peer::is_wanted(settings, "run-lengths " + peer::run_name(length), "u32"))
            return;
        uint32_t *unique = static_cast<uint32_t *>(d.output);
        uint32_t *lengths = reinterpret_cast<uint32_t *>(second_of(d.output, n));
        int64_t *runs = static_cast<int64_t *>(d.count), count = int64_t(n);
        arms.push_back(make_move(
            d, "run-lengths " + peer::run_name(length), "u32",
            4.0 * double(n) + 8.0 * double(runs_of(*host_keys)),
            [host_keys, lengths](const device &d) {
                uint64_t found = uint64_t(fetch<int64_t>(d.count, 1)[0]);
                std::vector<uint32_t> ones(host_keys->size(), 1u);
                return found <= ones.size() &&
                       peer::has_runs(*host_keys, ones, fetch<uint32_t>(d.output, found),
                                      fetch<uint32_t>(lengths, found));
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceRunLengthEncode::Encode(scratch, size, keys, unique, lengths,
                                                          runs, count);
            }));
    }

    template <typename T> void add_scan(std::vector<peer::arm> &arms, device &d, const char *type)
    {
        if (!peer::is_wanted(settings, "scan sum", type))
            return;
        auto data = std::make_shared<std::vector<T>>(values_as<T>());
        const T *in = upload(*data);
        T *out = static_cast<T *>(d.output);
        int64_t count = int64_t(n);
        arms.push_back(make_move(
            d, "scan sum", type, 8.0 * double(n),
            [data](const device &d) {
                std::vector<uint32_t> keys(data->size());
                return peer::has_sums_by_key(keys, *data, fetch<T>(d.output, data->size()));
            },
            [=](void *scratch, size_t &size) {
                return cub::DeviceScan::InclusiveSum(scratch, size, in, out, count);
            }));
    }

    void add_bounds(std::vector<peer::arm> &arms, device &d, const char *op,
                    const std::vector<uint32_t> &sorted, const std::vector<uint32_t> &values)
    {
        if (!peer::is_wanted(settings, op, "u32"))
            return;
        const uint32_t *in = upload(sorted), *wanted = upload(values);
        uint32_t *out = static_cast<uint32_t *>(d.output);
        auto from = std::make_shared<std::vector<uint32_t>>(sorted);
        auto searched = std::make_shared<std::vector<uint32_t>>(values);
        int64_t count = int64_t(n), value_count = int64_t(values.size());
        arms.push_back(make_move(
            d, op, "u32", 4.0 * double(n + 2 * values.size()),
            [from, searched](const device &d) {
                return peer::are_bounds(*from, *searched,
                                        fetch<uint32_t>(d.output, searched->size()));
            },
            [=](void *scratch, size_t &size) {
                if (scratch == nullptr) {
                    size = 1; // it needs no scratch memory
                    return cudaSuccess;
                }
                thrust::lower_bound(thrust::cuda::par_nosync, in, in + count, wanted,
                                    wanted + value_count, out);
                return cudaGetLastError();
            }));
    }

    void add_runs(std::vector<peer::arm> &arms, device &d)
    {
        for (uint64_t length : peer::run_lengths) {
            auto keys =
                std::make_shared<std::vector<uint32_t>>(peer::keys_of_runs(bits, n, length));
            const uint32_t *on_device = upload(*keys);
            add_run_lengths(arms, d, on_device, keys, length);
            add_by_key<float>(arms, d, "f32", on_device, keys, length);
            add_by_key<uint32_t>(arms, d, "u32", on_device, keys, length);
        }
    }

  public:
    explicit ordered(const peer::settings &s) : settings(s)
    {
    }

    // Makes the inputs of n elements.
    void open(const std::vector<float> &data, uint64_t count)
    {
        for (void *memory : owned)
            CHECK(cudaFree(memory));
        owned.clear();
        n = count;
        floats.assign(data.begin(), data.begin() + std::ptrdiff_t(n));
        bits = peer::random_bits(std::max(n, peer::needles / 2));
    }

    void add_arms(std::vector<peer::arm> &arms, device &d)
    {
        using peer::elements;
        std::vector<uint32_t> words = elements<uint32_t>(bits, n),
                              sorted = peer::ascending(bits, n);
        std::vector<uint64_t> wide = elements<uint64_t>(bits, n);
        add_sort(arms, d, "sort", "u32", words);
        add_sort(arms, d, "sort", "i32", elements<int32_t>(bits, n));
        add_sort(arms, d, "sort", "f32", floats);
        add_sort(arms, d, "sort", "u64", wide);
        add_sort(arms, d, "sort", "u16", elements<uint16_t>(bits, n));
        add_sort(arms, d, "sort", "u8", elements<uint8_t>(bits, n));
        add_sort(arms, d, "sort 16 bits", "u32", words, 16);
        add_descending(arms, d, words);
        add_pairs<uint32_t, uint32_t>(arms, d, "sort,payload 4", "u32", words);
        add_pairs<uint64_t, uint32_t>(arms, d, "sort,payload 4", "u64", wide);
        add_pairs<uint32_t, payload>(arms, d, "sort,payload 16", "u32", words);
        add_pairs<uint32_t, uint32_t>(arms, d, "argsort", "u32", words);
        add_pairs<float, uint32_t>(arms, d, "argsort", "f32", floats);
        add_sort(arms, d, "sort ascending", "u32", sorted);
        add_sort(arms, d, "sort equal", "u32", peer::keys_of_runs(bits, n, 0));
        add_sort(arms, d, "sort two values", "u32", peer::two_values(bits, n));
        for (uint64_t length : peer::row_lengths)
            add_rows(arms, d, words, length);
        for (uint64_t k : peer::top_ks)
            add_top_k(arms, d, k);
        add_scan<uint32_t>(arms, d, "u32");
        add_scan<float>(arms, d, "f32");
        add_runs(arms, d);
        add_bounds(arms, d, "bounds random", sorted, elements<uint32_t>(bits, peer::needles));
        add_bounds(arms, d, "bounds ascending", sorted, peer::ascending(bits, peer::needles));
    }
};

} // namespace

#endif
