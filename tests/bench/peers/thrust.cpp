// SPDX-License-Identifier: MIT
// Thrust on the CPU: Debian's libthrust-dev with the backend that the build chooses.
#include <thrust/device_ptr.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
#include <limits>
#include "peer.hpp"
#include "range.hpp"

namespace {

// min and max in one pass, which is faster than thrust::minmax_element.
template <typename T> std::vector<double> min_max(const T *x, uint64_t n)
{
    thrust::device_ptr<const T> first(x);
    range<T> r = thrust::transform_reduce(first, first + n, to_range<T>(), range<T>::none(),
                                          widen<T>());
    return {double(r.low), double(r.high)};
}

template <typename T> std::vector<double> sum(const T *x, uint64_t n)
{
    thrust::device_ptr<const T> first(x);
    return {double(thrust::reduce(first, first + n, T(0)))};
}

template <typename T> std::vector<double> min(const T *x, uint64_t n)
{
    thrust::device_ptr<const T> first(x);
    return {double(thrust::reduce(first, first + n, x[0], thrust::minimum<T>()))};
}

template <typename T> std::vector<double> argmin(const T *x, uint64_t n)
{
    thrust::device_ptr<const T> first(x);
    return {double(thrust::min_element(first, first + n) - first)};
}

} // namespace

int main(int argc, char **argv)
{
    peer::settings s = peer::parse(argc, argv);
    std::vector<float> data =
        peer::random_f32(*std::max_element(s.sizes.begin(), s.sizes.end()));
    std::vector<uint32_t> words(data.size());
    std::memcpy(words.data(), data.data(), 4 * data.size());
    const float *f = data.data();
    const uint32_t *u = words.data();
    char version[32];
    std::snprintf(version, sizeof version, "Thrust %d.%d, OpenMP", THRUST_MAJOR_VERSION,
                  THRUST_MINOR_VERSION);
    return peer::measure({"thrust", "CPU", version}, s, data, [&](uint64_t n) {
        return std::vector<peer::arm>{
            peer::host_arm("min,max", "f32", [=] { return min_max(f, n); }),
            peer::host_arm("min", "f32", [=] { return min(f, n); }),
            peer::host_arm("sum", "f32", [=] { return sum(f, n); }),
            peer::host_arm("argmin", "f32", [=] { return argmin(f, n); }),
            peer::host_arm("sum", "u32", [=] { return sum(u, n); }),
        };
    });
}
