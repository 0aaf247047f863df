// SPDX-License-Identifier: MIT
// The algorithms of the C++ standard library, on one core. Sorts work in place: the copy that they
// start with is not timed.
#include <numeric>
#include "ordered.hpp"

namespace
{

template <typename Function> peer::times timed(Function function)
{
    auto start = std::chrono::steady_clock::now();
    function();
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    return {0.0, took.count()};
}

// What all arms of one size write to.
struct outputs {
    std::vector<uint32_t> indices, bounds;
    std::vector<float> values;
};

template <typename T>
peer::arm sort_keys(const std::string &op, const char *type, const std::vector<T> &in)
{
    auto keys = std::make_shared<std::vector<T>>();
    auto data = std::make_shared<std::vector<T>>(in);
    auto run = [keys, data] {
        *keys = *data;
        return timed([&] { std::sort(keys->begin(), keys->end()); });
    };
    auto right = [keys, data, run] {
        run();
        return peer::is_sorted_row(*data, *keys, data->size(), std::less<T>());
    };
    return {op, type, run, nullptr, right, 2.0 * double(in.size() * sizeof(T))};
}

template <typename T> peer::arm argsort(outputs &out, const char *type, const std::vector<T> &in)
{
    auto data = std::make_shared<std::vector<T>>(in);
    auto run = [&out, data] {
        out.indices.resize(data->size());
        std::iota(out.indices.begin(), out.indices.end(), 0u);
        return timed([&] {
            std::stable_sort(out.indices.begin(), out.indices.end(),
                             [&](uint32_t a, uint32_t b) { return (*data)[a] < (*data)[b]; });
        });
    };
    auto right = [&out, data, run] {
        run();
        return peer::is_stable_order(*data, out.indices);
    };
    return {"argsort", type, run, nullptr, right, double(in.size() * (sizeof(T) + 4))};
}

// Pairs of a key and its index.
template <typename T> peer::arm sort_pairs(outputs &out, const char *type, const std::vector<T> &in)
{
    using pair = std::pair<T, uint32_t>;
    auto data = std::make_shared<std::vector<T>>(in);
    auto pairs = std::make_shared<std::vector<pair>>();
    auto run = [data, pairs] {
        pairs->resize(data->size());
        for (uint32_t i = 0; i < data->size(); i++)
            (*pairs)[i] = pair((*data)[i], i);
        return timed([&] {
            std::stable_sort(pairs->begin(), pairs->end(),
                             [](const pair &a, const pair &b) { return a.first < b.first; });
        });
    };
    auto right = [&out, data, pairs, run] {
        run();
        bool good = true;
        out.indices.clear();
        for (const pair &p : *pairs) {
            good &= p.second < data->size() && (*data)[p.second] == p.first;
            out.indices.push_back(p.second);
        }
        return good && peer::is_stable_order(*data, out.indices);
    };
    return {"sort,payload 4", type, run, nullptr, right, 2.0 * double(in.size() * (sizeof(T) + 4))};
}

peer::arm top_k(outputs &out, const std::vector<float> &data, uint64_t n, uint64_t k)
{
    auto run = [&out, &data, n, k] {
        out.values.resize(std::min(k, n));
        return timed([&] {
            std::partial_sort_copy(data.begin(), data.begin() + std::ptrdiff_t(n),
                                   out.values.begin(), out.values.end(), std::greater<float>());
        });
    };
    auto right = [&out, &data, n, run] {
        run();
        std::vector<float> values(data.begin(), data.begin() + std::ptrdiff_t(n));
        return peer::is_greatest(values, out.values);
    };
    return {"topk " + std::to_string(k), "f32", run, nullptr, right, 4.0 * double(n + k)};
}

peer::arm median(const std::vector<float> &data)
{
    auto values = std::make_shared<std::vector<float>>();
    auto from = std::make_shared<std::vector<float>>(data);
    auto run = [values, from] {
        *values = *from;
        return timed([&] {
            std::nth_element(values->begin(),
                             values->begin() + std::ptrdiff_t((values->size() - 1) / 2),
                             values->end());
        });
    };
    auto right = [values, from, run] {
        run();
        std::vector<float> sorted = *from;
        std::sort(sorted.begin(), sorted.end());
        return (*values)[(sorted.size() - 1) / 2] == sorted[(sorted.size() - 1) / 2];
    };
    return {"select median", "f32", run, nullptr, right, 4.0 * double(data.size())};
}

peer::arm bounds(outputs &out, const char *op, const std::vector<uint32_t> &sorted,
                 const std::vector<uint32_t> &values)
{
    auto from = std::make_shared<std::vector<uint32_t>>(sorted);
    auto wanted = std::make_shared<std::vector<uint32_t>>(values);
    auto run = [&out, from, wanted] {
        out.bounds.resize(wanted->size());
        return timed([&] {
            std::transform(wanted->begin(), wanted->end(), out.bounds.begin(), [&](uint32_t value) {
                return uint32_t(std::lower_bound(from->begin(), from->end(), value) -
                                from->begin());
            });
        });
    };
    auto right = [&out, from, wanted, run] {
        run();
        return peer::are_bounds(*from, *wanted, out.bounds);
    };
    return {op, "u32", run, nullptr, right, 4.0 * double(sorted.size() + 2 * values.size())};
}

std::vector<peer::arm> arms_of(outputs &out, const std::vector<float> &data, uint64_t n)
{
    using peer::elements;
    std::vector<uint64_t> bits = peer::random_bits(std::max(n, peer::needles / 2));
    std::vector<float> values(data.begin(), data.begin() + std::ptrdiff_t(n));
    std::vector<uint32_t> words = elements<uint32_t>(bits, n), sorted = peer::ascending(bits, n);
    std::vector<peer::arm> arms{
        sort_keys("sort", "u32", words),
        sort_keys("sort", "i32", elements<int32_t>(bits, n)),
        sort_keys("sort", "f32", values),
        sort_keys("sort", "u64", elements<uint64_t>(bits, n)),
        sort_keys("sort", "u16", elements<uint16_t>(bits, n)),
        sort_keys("sort", "u8", elements<uint8_t>(bits, n)),
        sort_pairs(out, "u32", words),
        sort_pairs(out, "u64", elements<uint64_t>(bits, n)),
        argsort(out, "u32", words),
        argsort(out, "f32", values),
        sort_keys("sort ascending", "u32", sorted),
        sort_keys("sort equal", "u32", peer::keys_of_runs(bits, n, 0)),
        sort_keys("sort two values", "u32", peer::two_values(bits, n)),
        median(values),
        bounds(out, "bounds random", sorted, elements<uint32_t>(bits, peer::needles)),
        bounds(out, "bounds ascending", sorted, peer::ascending(bits, peer::needles)),
    };
    for (uint64_t k : peer::top_ks)
        arms.push_back(top_k(out, data, n, k));
    return arms;
}

} // namespace

int main(int argc, char **argv)
{
    peer::settings s = peer::parse(argc, argv, {"--ordered"});
    std::vector<float> data = peer::random_f32(*std::max_element(s.sizes.begin(), s.sizes.end()));
    outputs out;
    return peer::measure({"std", "CPU", "C++ standard library"}, s, data,
                         [&](uint64_t n) { return arms_of(out, data, n); });
}
