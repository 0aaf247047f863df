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

#include <stdexcept>
#include <utility>

#include "vkreduce.h"

namespace vkr
{

/* A call that failed. The context's message callback has received the sentence that says why. */
class Error : public std::runtime_error
{
  public:
    explicit Error(VkrResult result) : std::runtime_error(vkrResultName(result)), result_(result)
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

class Context : public Handle<VkrContext, vkrDestroyContext>
{
  public:
    Context() noexcept = default;
    explicit Context(const VkrContextInfo &info)
    {
        VkrContext created = nullptr;
        check(vkrCreateContext(&info, &created));
        reset(created);
    }
};

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
