/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/host.hpp: a host (host.h) as a C++17 class, in addition to those of vkreduce.hpp:
 *
 *     vkr::Host host(VkrHostInfo{});
 *     vkr::check(vkrHostReduce(host, &info));
 */
#ifndef VKREDUCE_HOST_HPP
#define VKREDUCE_HOST_HPP

#include "host.h"
#include "vkreduce.hpp"

namespace vkr
{

/* It also hears what the context of its device says, so declare it before hosts that share that. */
using Host = Heard<VkrHost, VkrHostInfo, vkrCreateHost, vkrDestroyHost>;

} // namespace vkr

#endif
