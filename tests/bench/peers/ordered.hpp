// SPDX-License-Identifier: MIT
// The data of --ordered, and proofs of its results, for the peers that are written in C++. The data
// are the benchmark's (ordered.c).
#ifndef ORDERED_HPP
#define ORDERED_HPP

#include "peer.hpp"

namespace peer
{

constexpr uint64_t needles = uint64_t(1) << 20; // values that are searched for
constexpr uint32_t equal_word = 0x3f000000u;
constexpr uint64_t row_lengths[] = {64, 1000, 100000};
constexpr uint64_t top_ks[] = {1, 100, 4096, 65536};

// The average lengths of runs; 0: all elements are one run.
constexpr uint64_t run_lengths[] = {1, 4, 1000, 0};

inline std::string run_name(uint64_t length)
{
    return length == 0 ? "all" : std::to_string(length);
}

// As in samples/vkreduce/input/random.c, seed 2.
inline std::vector<uint64_t> random_bits(uint64_t count)
{
    std::vector<uint64_t> bits(count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t z = 2 + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        bits[i] = z ^ (z >> 31);
    }
    return bits;
}

// The first `count` elements of a type in random bits.
template <typename T> std::vector<T> elements(const std::vector<uint64_t> &bits, uint64_t count)
{
    std::vector<T> values(count);
    std::memcpy(values.data(), bits.data(), count * sizeof(T));
    return values;
}

inline std::vector<uint32_t> ascending(const std::vector<uint64_t> &bits, uint64_t n)
{
    std::vector<uint32_t> values = elements<uint32_t>(bits, n);
    for (uint64_t i = 0; i < n; i++)
        values[i] = uint32_t((i << 32 | values[i]) / n);
    return values;
}

inline std::vector<uint32_t> two_values(const std::vector<uint64_t> &bits, uint64_t n)
{
    std::vector<uint32_t> values = elements<uint32_t>(bits, n);
    for (uint32_t &value : values)
        value = value >> 31 != 0 ? ~equal_word : equal_word;
    return values;
}

inline std::vector<uint32_t> keys_of_runs(const std::vector<uint64_t> &bits, uint64_t n,
                                          uint64_t length)
{
    if (length == 0)
        return std::vector<uint32_t>(n, equal_word);
    std::vector<uint32_t> values = elements<uint32_t>(bits, n);
    uint32_t run = 0;
    for (uint32_t &value : values)
        value = run += value <= UINT32_MAX / length;
    return values;
}

inline uint64_t hash(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

// Whether each row of `out` is in order, and has the sum of hashes of that row of `in`.
template <typename T, typename Before>
bool is_sorted_row(const std::vector<T> &in, const std::vector<T> &out, uint64_t row, Before before)
{
    bool good = out.size() == in.size();
    uint64_t sum = 0;
    for (uint64_t i = 0; good && i < in.size(); i++) {
        uint64_t a = 0, b = 0;
        std::memcpy(&a, &in[i], sizeof(T));
        std::memcpy(&b, &out[i], sizeof(T));
        sum += hash(a) - hash(b);
        good &= i % row == 0 || !before(out[i], out[i - 1]);
        if ((i + 1) % row == 0 || i + 1 == in.size())
            good &= sum == 0;
    }
    return good;
}

// Whether elements ascend, and of equal ones the indices: n different indices are all of them.
template <typename T>
bool is_stable_order(const std::vector<T> &in, const std::vector<uint32_t> &indices)
{
    bool good = indices.size() == in.size();
    for (uint64_t i = 0; good && i < in.size(); i++) {
        good &= indices[i] < in.size();
        if (!good || i == 0)
            continue;
        const T &last = in[indices[i - 1]], &value = in[indices[i]];
        good &= last < value || (!(value < last) && indices[i - 1] < indices[i]);
    }
    return good;
}

// Whether `out`, in descending order, has the greatest values of `in`.
template <typename T> bool is_greatest(std::vector<T> in, const std::vector<T> &out)
{
    std::nth_element(in.begin(), in.begin() + std::ptrdiff_t(out.size()) - 1, in.end(),
                     std::greater<T>());
    in.resize(out.size());
    std::sort(in.begin(), in.end(), std::greater<T>());
    return in == out;
}

inline bool are_bounds(const std::vector<uint32_t> &sorted, const std::vector<uint32_t> &values,
                       const std::vector<uint32_t> &out)
{
    bool good = out.size() == values.size();
    for (uint64_t i = 0; good && i < values.size(); i++)
        good &=
            out[i] == std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin();
    return good;
}

template <typename T> bool is_near(T found, double sum, uint32_t word)
{
    return std::is_integral<T>::value ? uint32_t(found) == word
                                      : std::fabs(double(found) - sum) <= 1e-3 * std::fabs(sum);
}

// Whether `out` has the sums of the values since the first equal key.
template <typename T>
bool has_sums_by_key(const std::vector<uint32_t> &keys, const std::vector<T> &in,
                     const std::vector<T> &out)
{
    bool good = out.size() == in.size();
    double sum = 0.0;
    uint32_t word = 0;
    for (uint64_t i = 0; good && i < in.size(); i++) {
        bool starts = i == 0 || keys[i] != keys[i - 1];
        sum = starts ? double(in[i]) : sum + double(in[i]);
        word = starts ? uint32_t(in[i]) : word + uint32_t(in[i]);
        good &= is_near(out[i], sum, word);
    }
    return good;
}

// Whether `unique` and `out` have the key and the sum of each run.
template <typename T>
bool has_runs(const std::vector<uint32_t> &keys, const std::vector<T> &in,
              const std::vector<uint32_t> &unique, const std::vector<T> &out)
{
    bool good = unique.size() == out.size();
    uint64_t run = 0;
    double sum = 0.0;
    uint32_t word = 0;
    for (uint64_t i = 0; good && i < in.size(); i++) {
        sum += double(in[i]);
        word += uint32_t(in[i]);
        if (i + 1 < in.size() && keys[i + 1] == keys[i])
            continue;
        good &= run < out.size() && unique[run] == keys[i] && is_near(out[run], sum, word);
        sum = 0.0;
        word = 0;
        run++;
    }
    return good && run == out.size();
}

} // namespace peer

#endif
