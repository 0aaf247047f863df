/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/vkreduce.hpp: the objects of the library as C++17 classes, which destroy what they own,
 * and results that throw. Everything else is as in the headers for C:
 *
 *     vkr::Recorder recorder(context, VkrRecorderInfo{});
 *     vkr::check(vkrBegin(recorder));
 *
 * Contexts outlive their recorders and modules, so declare them first.
 */
#ifndef VKREDUCE_VKREDUCE_HPP
#define VKREDUCE_VKREDUCE_HPP

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "vkreduce.h"

namespace vkr
{

namespace detail
{

/* An error of which a message callback was told. */
struct Said {
    VkrResult result;
    char sentence[1024];
};

/* The last one of this thread that no vkr::Error has taken yet. */
inline Said &said() noexcept
{
    static thread_local Said last{};
    return last;
}

inline std::string describe(VkrResult result)
{
    std::string text = vkrResultName(result);
    Said &last = said();
    if (last.result == result)
        text.append(": ").append(last.sentence);
    last.result = VKR_SUCCESS;
    return text;
}

} // namespace detail

/* A message callback that keeps the sentence of an error for the vkr::Error that follows in this
 * thread. vkr::Context sets it; the structures of other calls, such as VkrDeviceRequirementsInfo,
 * can have it as their `message`. */
inline void remember(void *, VkrResult result, const char *sentence) noexcept
{
    if (result == VKR_SUCCESS)
        return;
    detail::said().result = result;
    (void)std::snprintf(detail::said().sentence, sizeof detail::said().sentence, "%s", sentence);
}

/* A call that failed. what() is the name of the result and, where a callback has remembered it, the
 * sentence that says why. */
class Error : public std::runtime_error
{
  public:
    explicit Error(VkrResult result) : std::runtime_error(detail::describe(result)), result_(result)
    {
    }

    VkrResult result() const noexcept
    {
        return result_;
    }

  private:
    VkrResult result_;
};

inline void check(VkrResult result)
{
    if (result != VKR_SUCCESS)
        throw Error(result);
    detail::said().result = VKR_SUCCESS;
}

/* Owns an object, or none. It converts to the handle, which the functions take. */
template <typename T, void (*destroy)(T)> class Handle
{
  public:
    Handle() noexcept = default;
    explicit Handle(T handle) noexcept : handle_(handle)
    {
    }
    Handle(Handle &&other) noexcept : handle_(other.release())
    {
    }
    Handle &operator=(Handle &&other) noexcept
    {
        reset(other.release());
        return *this;
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle()
    {
        reset();
    }

    operator T() const noexcept
    {
        return handle_;
    }

    /* Gives up the object without destroying it. */
    T release() noexcept
    {
        return std::exchange(handle_, nullptr);
    }

    /* Destroys the object, and owns another one, or none. */
    void reset(T handle = nullptr) noexcept
    {
        if (handle != handle_)
            destroy(std::exchange(handle_, handle));
    }

  private:
    T handle_ = nullptr;
};

/* An object that says what is wrong by the message of its info. The sentences of its errors become
 * those of vkr::Error; info.message gets all messages too. */
template <typename T, typename Info, VkrResult (*create)(const Info *, T *), void (*destroy)(T)>
class Heard : public Handle<T, destroy>
{
  public:
    Heard() noexcept = default;
    explicit Heard(const Info &info) : listener_(new Listener{info.message, info.messageData})
    {
        Info heard = info;
        T created = nullptr;
        heard.message = hear;
        heard.messageData = listener_.get();
        check(create(&heard, &created));
        this->reset(created);
    }
    Heard(Heard &&) noexcept = default;
    Heard &operator=(Heard &&) noexcept = default;
    Heard(const Heard &) = delete;
    Heard &operator=(const Heard &) = delete;
    ~Heard()
    {
        this->reset(); /* before the listener, which it may call */
    }

    /* The object cannot outlive its listener. */
    T release() = delete;

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

using Context = Heard<VkrContext, VkrContextInfo, vkrCreateContext, vkrDestroyContext>;

class Recorder : public Handle<VkrRecorder, vkrDestroyRecorder>
{
  public:
    Recorder() noexcept = default;
    Recorder(VkrContext context, const VkrRecorderInfo &info)
    {
        VkrRecorder created = nullptr;
        check(vkrCreateRecorder(context, &info, &created));
        reset(created);
    }
};

class Module : public Handle<VkrModule, vkrDestroyModule>
{
  public:
    Module() noexcept = default;
    Module(VkrContext context, const VkrModuleInfo &info)
    {
        VkrModule created = nullptr;
        check(vkrCreateModule(context, &info, &created));
        reset(created);
    }
};

} // namespace vkr

#endif
