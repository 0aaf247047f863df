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

/* The sentences of its errors become those of vkr::Error; info.message gets all messages too. It
 * also hears what the context of its device says, so declare it before hosts that share that. */
class Host : public Handle<VkrHost, vkrDestroyHost>
{
  public:
    Host() noexcept = default;
    explicit Host(const VkrHostInfo &info) : listener_(new Listener{info.message, info.messageData})
    {
        VkrHostInfo heard = info;
        VkrHost created = nullptr;
        heard.message = hear;
        heard.messageData = listener_.get();
        check(vkrCreateHost(&heard, &created));
        reset(created);
    }
    Host(Host &&) noexcept = default;
    Host &operator=(Host &&) noexcept = default;
    Host(const Host &) = delete;
    Host &operator=(const Host &) = delete;
    ~Host()
    {
        reset(); /* before the listener, which it may call */
    }

    /* The host cannot outlive its listener. */
    VkrHost release() = delete;

  private:
    struct Listener {
        PFN_vkrMessage message;
        void *data;
    };

    static void hear(void *listener, VkrResult result, const char *sentence)
    {
        const Listener &own = *static_cast<const Listener *>(listener);
        remember(nullptr, result, sentence);
        if (own.message)
            own.message(own.data, result, sentence);
    }

    std::unique_ptr<Listener> listener_{};
};

} // namespace vkr

#endif
