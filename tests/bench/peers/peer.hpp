// SPDX-License-Identifier: MIT
// Shared by the peers that are written in C++: options, the benchmark's data, timing in turns,
// verification against plain loops, and rows with the benchmark's keys and a "peer".
#ifndef PEER_HPP
#define PEER_HPP

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace peer {

struct settings {
    std::vector<uint64_t> sizes;
    unsigned runs = 9;
    const char *json = nullptr;
    std::vector<std::string> filters; // of the arms' names
    std::string mode;                 // --segments or --ordered; empty: the usual operations
};

struct identity {
    const char *peer;
    std::string device, driver;
};

// In ns; 0: unknown. The time of the whole run replaces an unknown `submit`.
struct times {
    double device = 0.0, submit = 0.0;
};

// An operation: `run` executes it and waits. `results` of a reduction fetches the results of the
// last run in the order of the operators' names; every other arm has `right`, which verifies it.
struct arm {
    std::string op;
    const char *type;
    std::function<times()> run;
    std::function<std::vector<double>()> results;
    std::function<bool()> right = nullptr;
    double bytes = 0.0; // 0: it reads 4 per element
};

// An arm whose function returns its results.
template <typename Function> arm host_arm(const char *op, const char *type, Function function)
{
    auto kept = std::make_shared<std::vector<double>>();
    return {op, type,
            [kept, function] {
                *kept = function();
                return times();
            },
            [kept] { return *kept; }};
}

inline uint64_t parse_size(const std::string &text)
{
    return text.compare(0, 2, "2^") == 0 ? uint64_t(1) << std::stoul(text.substr(2))
                                         : std::stoull(text);
}

// `modes` are those that the program has.
inline settings parse(int argc, char **argv, const std::vector<std::string> &modes = {})
{
    settings s;
    std::string sizes = "2^10,2^14,2^16,2^18,2^20,2^22,2^25", usage;
    for (const std::string &mode : modes)
        usage += " [" + mode + "]";
    for (int i = 1; i < argc; i++) {
        if (std::find(modes.begin(), modes.end(), argv[i]) != modes.end())
            s.mode = argv[i];
        else if (i + 1 < argc && std::strcmp(argv[i], "--sizes") == 0)
            sizes = argv[++i];
        else if (i + 1 < argc && std::strcmp(argv[i], "--runs") == 0)
            s.runs = unsigned(std::max(1, std::atoi(argv[++i])));
        else if (i + 1 < argc && std::strcmp(argv[i], "--json") == 0)
            s.json = argv[++i];
        else if (argv[i][0] != '-')
            s.filters.push_back(argv[i]);
        else {
            std::fprintf(stderr,
                         "usage: %s [FILTER...]%s [--sizes N,2^K,...] [--runs N] [--json FILE]\n",
                         argv[0], usage.c_str());
            std::exit(2);
        }
    }
    for (size_t at = 0; at <= sizes.size();) {
        size_t end = std::min(sizes.find(',', at), sizes.size());
        s.sizes.push_back(parse_size(sizes.substr(at, end - at)));
        at = end + 1;
    }
    return s;
}

// As in samples/vkreduce/input/random.c, seed 1.
inline std::vector<float> random_f32(uint64_t count)
{
    std::vector<float> data(count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t z = 1 + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        data[i] = float((z ^ (z >> 31)) >> 40) / 16777216.0f;
    }
    return data;
}

// The results of an arm, computed by plain loops; sums of f32 are computed in f64.
template <typename T> std::vector<double> expect(const std::string &op, const T *x, uint64_t n)
{
    std::vector<double> values;
    std::string left = op;
    while (!left.empty()) {
        size_t end = std::min(left.find(','), left.size());
        std::string name = left.substr(0, end);
        left.erase(0, end + 1);
        if (name == "min")
            values.push_back(double(*std::min_element(x, x + n)));
        else if (name == "max")
            values.push_back(double(*std::max_element(x, x + n)));
        else if (name == "argmin")
            values.push_back(double(std::min_element(x, x + n) - x));
        else if (std::is_integral<T>::value) {
            uint32_t sum = 0;
            for (uint64_t i = 0; i < n; i++)
                sum += uint32_t(x[i]);
            values.push_back(double(T(sum)));
        } else {
            double sum = 0.0;
            for (uint64_t i = 0; i < n; i++)
                sum += double(x[i]);
            values.push_back(sum);
        }
    }
    return values;
}

inline bool verify(const arm &a, const std::vector<float> &data, uint64_t n)
{
    if (a.right)
        return a.right();
    std::vector<double> expected, actual = a.results();
    const void *bytes = data.data();
    if (std::strcmp(a.type, "f32") == 0)
        expected = expect(a.op, static_cast<const float *>(bytes), n);
    else if (std::strcmp(a.type, "i32") == 0)
        expected = expect(a.op, static_cast<const int32_t *>(bytes), n);
    else
        expected = expect(a.op, static_cast<const uint32_t *>(bytes), n);
    bool good = expected.size() == actual.size();
    for (size_t i = 0; good && i < expected.size(); i++) {
        bool exact = std::strcmp(a.type, "f32") != 0 || a.op.find("sum") == std::string::npos;
        good = exact ? actual[i] == expected[i]
                     : std::fabs(actual[i] - expected[i]) <= 1e-3 * std::fabs(expected[i]);
    }
    return good;
}

inline double median(std::vector<double> x)
{
    std::sort(x.begin(), x.end());
    return (x[(x.size() - 1) / 2] + x[x.size() / 2]) / 2.0;
}

inline void write_number(std::FILE *file, const char *key, double number)
{
    if (number > 0.0)
        std::fprintf(file, "\"%s\":%.6g,", key, number);
    else
        std::fprintf(file, "\"%s\":null,", key);
}

inline void report(std::FILE *json, const identity &who, const settings &s, const arm &a,
                   uint64_t n, double device_ns, double submit_ns, bool good)
{
    double bytes = a.bytes > 0.0 ? a.bytes : 4.0 * double(n);
    double gbps = bytes / (device_ns > 0.0 ? device_ns : submit_ns);
    std::string name = std::string(who.peer) + " " + a.op + " " + a.type;
    std::printf("%-36s %12.1f %12.1f %8.2f  %s\n", name.c_str(), device_ns / 1e3, submit_ns / 1e3,
                gbps, good ? "yes" : "NO");
    if (json == nullptr)
        return;
    std::fprintf(json, "{\"peer\":\"%s\",\"arm\":\"%s\",\"op\":\"%s\",\"type\":\"%s\",\"n\":%llu,",
                 who.peer, name.c_str(), a.op.c_str(), a.type, static_cast<unsigned long long>(n));
    write_number(json, "device_ns", device_ns);
    write_number(json, "submit_ns", submit_ns);
    write_number(json, "bytes", bytes);
    write_number(json, "gbps", gbps);
    std::fprintf(json,
                 "\"device\":\"%s\",\"driver\":\"%s\",\"runs\":%u,\"skipped\":null,"
                 "\"verified\":%s}\n",
                 who.device.c_str(), who.driver.c_str(), s.runs, good ? "true" : "false");
    std::fflush(json);
}

// Whether the filters select an arm.
inline bool is_wanted(const settings &s, const std::string &op, const char *type)
{
    std::string name = op + " " + type;
    return s.filters.empty() ||
           std::any_of(s.filters.begin(), s.filters.end(), [&](const std::string &filter) {
               return name.find(filter) != std::string::npos;
           });
}

inline void measure_size(std::FILE *json, const identity &who, const settings &s,
                         std::vector<arm> arms, const std::vector<float> &data, uint64_t n)
{
    arms.erase(std::remove_if(arms.begin(), arms.end(),
                              [&](const arm &a) { return !is_wanted(s, a.op, a.type); }),
               arms.end());
    std::vector<std::vector<double>> device(arms.size()), submit(arms.size());
    for (unsigned run = 0; run <= s.runs; run++)
        for (size_t i = 0; i < arms.size(); i++) {
            auto start = std::chrono::steady_clock::now();
            times ns = arms[i].run();
            std::chrono::duration<double, std::nano> took =
                std::chrono::steady_clock::now() - start;
            if (run > 0) {
                device[i].push_back(ns.device);
                submit[i].push_back(ns.submit > 0.0 ? ns.submit : took.count());
            }
        }
    std::printf("\n%llu elements\n%-36s %12s %12s %8s  %s\n", static_cast<unsigned long long>(n),
                "", "device us", "submit us", "GB/s", "verified");
    for (size_t i = 0; i < arms.size(); i++)
        report(json, who, s, arms[i], n, median(device[i]), median(submit[i]),
               verify(arms[i], data, n));
}

// `arms_of(n)` returns the arms of the first n values.
template <typename Make>
int measure(const identity &who, const settings &s, const std::vector<float> &data, Make arms_of)
{
    std::FILE *json = s.json != nullptr ? std::fopen(s.json, "w") : nullptr;
    if (s.json != nullptr && json == nullptr) {
        std::perror(s.json);
        return 1;
    }
    std::printf("%s: %s, %s; %u runs, medians\n", who.peer, who.device.c_str(),
                who.driver.c_str(), s.runs);
    for (uint64_t n : s.sizes)
        measure_size(json, who, s, arms_of(n), data, n);
    return json != nullptr && std::fclose(json) != 0;
}

} // namespace peer

#endif
