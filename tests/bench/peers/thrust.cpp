// SPDX-License-Identifier: MIT
// Thrust on the CPU: Debian's libthrust-dev with the backend that the build chooses.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <limits>
#include "moves.hpp"
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

// The outputs, and the number of values in them.
struct output {
    std::vector<uint32_t> words;
    size_t count = 0;
};

template <typename T> T *values_of(output &out)
{
    void *words = out.words.data();
    return static_cast<T *>(words);
}

template <typename T>
void add_scan(std::vector<peer::arm> &arms, output &out, const std::vector<float> &data,
              const T *x, const char *type, uint64_t n)
{
    auto run = [&out, x, n] {
        thrust::device_ptr<const T> first(x);
        thrust::device_ptr<T> to(values_of<T>(out));
        thrust::inclusive_scan(first, first + n, to);
        return peer::times();
    };
    auto right = [&out, &data, run, n] {
        run();
        return peer::has_sums<T>(data, std::vector<T>(values_of<T>(out), values_of<T>(out) + n));
    };
    arms.push_back({"scan sum", type, run, nullptr, right, 8.0 * double(n)});
}

template <typename T>
void add_compactions(std::vector<peer::arm> &arms, output &out, const peer::references &known,
                     const T *x, const char *type, uint64_t n)
{
    for (unsigned share : peer::shares) {
        const std::vector<uint32_t> *kept = &known.kept.at(share);
        auto run = [&out, x, n, above = peer::limit<T>(share)] {
            thrust::device_ptr<const T> first(x);
            thrust::device_ptr<T> to(values_of<T>(out));
            out.count = size_t(
                thrust::copy_if(first, first + n, to, [above](T v) { return v > above; }) - to);
            return peer::times();
        };
        auto right = [&out, kept, run] {
            run();
            return out.count == kept->size() &&
                   std::equal(kept->begin(), kept->end(), out.words.begin());
        };
        arms.push_back({"compact " + std::to_string(share), type, run, nullptr, right,
                        4.0 * double(n + kept->size())});
    }
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
    output out{std::vector<uint32_t>(data.size())};
    peer::references known;
    char version[32];
    std::snprintf(version, sizeof version, "Thrust %d.%d, OpenMP", THRUST_MAJOR_VERSION,
                  THRUST_MINOR_VERSION);
    return peer::measure({"thrust", "CPU", version}, s, data, [&](uint64_t n) {
        std::vector<peer::arm> arms{
            peer::host_arm("min,max", "f32", [=] { return min_max(f, n); }),
            peer::host_arm("min", "f32", [=] { return min(f, n); }),
            peer::host_arm("sum", "f32", [=] { return sum(f, n); }),
            peer::host_arm("argmin", "f32", [=] { return argmin(f, n); }),
            peer::host_arm("sum", "u32", [=] { return sum(u, n); }),
        };
        known = peer::references(data, n);
        add_scan(arms, out, data, u, "u32", n);
        add_scan(arms, out, data, f, "f32", n);
        add_compactions(arms, out, known, u, "u32", n);
        add_compactions(arms, out, known, f, "f32", n);
        return arms;
    });
}
