// SPDX-License-Identifier: MIT
// min and max as one reduction, for libraries that take a functor.
#ifndef RANGE_HPP
#define RANGE_HPP

#include <limits>

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

template <typename T> struct range {
    T low, high;

    static range none()
    {
        return {std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max(),
                std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::lowest()};
    }
};

template <typename T> struct to_range {
    BOTH range<T> operator()(T x) const { return {x, x}; }
};

template <typename T> struct widen {
    BOTH range<T> operator()(const range<T> &a, const range<T> &b) const
    {
        return {b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high};
    }
};

#endif
