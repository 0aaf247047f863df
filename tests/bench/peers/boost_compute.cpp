// SPDX-License-Identifier: MIT
// Boost.Compute on an OpenCL device of the CPU: Debian's libboost-dev and pocl-opencl-icd. Every
// call waits for its result.
#define CL_TARGET_OPENCL_VERSION 120
#include <boost/compute/algorithm/min_element.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/transform_reduce.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/core.hpp>
#include <boost/compute/functional/math.hpp>
#include <boost/compute/types/fundamental.hpp>
#include "peer.hpp"

namespace compute = boost::compute;

namespace {

BOOST_COMPUTE_FUNCTION(compute::float2_, to_range, (float x), { return (float2)(x, x); });
BOOST_COMPUTE_FUNCTION(compute::float2_, widen, (compute::float2_ a, compute::float2_ b), {
    return (float2)(fmin(a.x, b.x), fmax(a.y, b.y));
});

template <typename T, typename F>
T reduce(const compute::vector<T> &x, uint64_t n, F function, compute::command_queue &queue)
{
    T result{};
    compute::reduce(x.begin(), x.begin() + std::ptrdiff_t(n), &result, function, queue);
    return result;
}

std::vector<double> min_max(const compute::vector<float> &x, uint64_t n,
                            compute::command_queue &queue)
{
    compute::float2_ result;
    compute::transform_reduce(x.begin(), x.begin() + std::ptrdiff_t(n), &result, to_range, widen,
                              queue);
    return {double(result[0]), double(result[1])};
}

} // namespace

int main(int argc, char **argv)
{
    peer::settings s = peer::parse(argc, argv);
    std::vector<float> data =
        peer::random_f32(*std::max_element(s.sizes.begin(), s.sizes.end()));
    std::vector<uint32_t> words(data.size());
    std::memcpy(words.data(), data.data(), 4 * data.size());

    compute::device device = compute::system::default_device();
    compute::context context(device);
    compute::command_queue queue(context, device);
    compute::vector<float> f(data.begin(), data.end(), queue);
    compute::vector<uint32_t> u(words.begin(), words.end(), queue);
    queue.finish();
    return peer::measure(
        {"boost.compute", device.name(), device.platform().name() + " " + device.driver_version()},
        s, data, [&](uint64_t n) {
            auto minimum = [&, n] {
                auto at = compute::min_element(f.begin(), f.begin() + std::ptrdiff_t(n), queue);
                return std::vector<double>{double(at - f.begin())};
            };
            return std::vector<peer::arm>{
                peer::host_arm("min,max", "f32", [&, n] { return min_max(f, n, queue); }),
                peer::host_arm("min", "f32", [&, n] {
                    return std::vector<double>{reduce(f, n, compute::fmin<float>(), queue)};
                }),
                peer::host_arm("sum", "f32", [&, n] {
                    return std::vector<double>{reduce(f, n, compute::plus<float>(), queue)};
                }),
                peer::host_arm("argmin", "f32", minimum),
                peer::host_arm("sum", "u32", [&, n] {
                    return std::vector<double>{
                        double(reduce(u, n, compute::plus<uint32_t>(), queue))};
                }),
            };
        });
}
