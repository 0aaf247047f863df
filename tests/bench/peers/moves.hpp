// SPDX-License-Identifier: MIT
// The references for scans and compactions, in plain loops, for the peers that are written in C++.
// The shares and the runs are the benchmark's.
#ifndef MOVES_HPP
#define MOVES_HPP

#include <map>
#include "peer.hpp"

namespace peer {

constexpr unsigned shares[] = {10, 30, 50, 60, 90}; // per cent that is kept
constexpr unsigned chosen_share = 60, run_share = 25;

// The value that a share of the values exceeds. They are not negative, so their bits, as u32, have
// the same order.
template <typename T> T limit(unsigned share)
{
    float value = float(100 - share) / 100.0f;
    T bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline std::vector<unsigned char> mask(const std::vector<float> &data, uint64_t n, unsigned share)
{
    std::vector<unsigned char> mask(n);
    float above = limit<float>(share);
    for (uint64_t i = 0; i < n; i++)
        mask[i] = data[i] > above;
    return mask;
}

// Sorted values. Each of them starts a run with a probability of run_share per cent.
inline std::vector<uint32_t> runs(const std::vector<float> &data, uint64_t n)
{
    std::vector<uint32_t> runs(n);
    float above = limit<float>(run_share);
    uint32_t run = 0;
    for (uint64_t i = 0; i < n; i++)
        runs[i] = run += data[i] > above;
    return runs;
}

// The values whose mask is `wanted`, as words. No branch depends on the mask.
inline std::vector<uint32_t> select(const std::vector<float> &data,
                                    const std::vector<unsigned char> &mask, bool wanted)
{
    std::vector<uint32_t> kept(mask.size() + 1);
    uint64_t count = 0;
    for (uint64_t i = 0; i < mask.size(); i++) {
        std::memcpy(&kept[count], &data[i], sizeof(uint32_t));
        count += (mask[i] != 0) == wanted;
    }
    kept.resize(count);
    return kept;
}

// The expected outputs of the compactions of the first n values.
struct references {
    std::map<unsigned, std::vector<uint32_t>> kept; // by share
    std::vector<uint32_t> rejected;                 // of chosen_share
    std::vector<uint32_t> heads, lengths;           // of the runs

    references() = default;
    references(const std::vector<float> &data, uint64_t n)
    {
        for (unsigned share : shares)
            kept[share] = select(data, mask(data, n, share), true);
        rejected = select(data, mask(data, n, chosen_share), false);
        for (uint32_t run : runs(data, n)) {
            if (heads.empty() || run != heads.back()) {
                heads.push_back(run);
                lengths.push_back(0);
            }
            lengths.back()++;
        }
    }
};

// Whether `out` has the inclusive sums. Floats are compared with sums in double precision.
template <typename T> bool has_sums(const std::vector<float> &data, const std::vector<T> &out)
{
    uint32_t words = 0;
    double sum = 0.0;
    bool good = true;
    for (uint64_t i = 0; i < out.size(); i++) {
        T x;
        std::memcpy(&x, &data[i], sizeof x);
        words += uint32_t(x);
        sum += double(x);
        good &= std::is_integral<T>::value ? uint32_t(out[i]) == words
                                           : std::fabs(double(out[i]) - sum) <= 1e-3 * sum;
    }
    return good;
}

// Whether `out` has the sums of rows of `length` values, within the rounding errors of a tree.
inline bool has_rows(const std::vector<float> &data, const std::vector<float> &out, uint64_t length)
{
    bool good = true;
    for (uint64_t i = 0; i < out.size(); i++) {
        double sum = 0.0;
        for (uint64_t k = 0; k < length; k++)
            sum += double(data[i * length + k]);
        double depth = double(std::min(length, uint64_t(1) << 14));
        good &= std::fabs(double(out[i]) - sum) <= sum * depth / 16777216.0;
    }
    return good;
}

template <typename T> bool has_minima(const std::vector<float> &data, const std::vector<T> &out)
{
    T least;
    bool good = true;
    std::memcpy(&least, &data[0], sizeof least);
    for (uint64_t i = 0; i < out.size(); i++) {
        T x;
        std::memcpy(&x, &data[i], sizeof x);
        least = x < least ? x : least;
        good &= out[i] == least;
    }
    return good;
}

} // namespace peer

#endif
