# SPDX-License-Identifier: MIT
"""The library for programs without Vulkan code: devices, memory, arrays, recordings and waits."""
from mutant import Mutant


def noticed(case):
    """What notices: this case of the test, or else the whole test."""
    return (f'host-lvp22-8/{case}', 'host-lvp22-8')


MUTANTS = (
    # ---- Devices ----
    Mutant('hosts: names of devices have capitals', 'host/devices.c',
           'tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])',
           '(unsigned char)text[i] == (unsigned char)part[i]', noticed('test_choice')),
    Mutant('hosts: the turn among equal devices is not kept', 'host/devices.c',
           'for (turn %= equals;', 'for (turn = 0 * equals;', noticed('test_choice')),
    Mutant('hosts: files of pipelines need no right checksum', 'host/cache.c',
           'head->sum == sum_of(', 'head->sum >= 0 * sum_of(', noticed('test_cache_damage')),
    # ---- Memory ----
    Mutant('hosts: pieces of a copy all go to its start', 'host/memory.c',
           '{0, m->offset + offset + done, piece}', '{0, m->offset + offset, piece}',
           noticed('test_copies')),
    Mutant('hosts: the last elements are in no texel', 'host/memory.c',
           'size == 0 ? TEXEL : (size + TEXEL - 1) / TEXEL * TEXEL',
           'size < TEXEL ? TEXEL : size', noticed('test_kinds')),
    Mutant('hosts: memory is imported where the array starts', 'host/memory.c',
           'const VkDeviceSize before = (uintptr_t)data % unit;',
           'const VkDeviceSize before = (uintptr_t)data % unit / unit;',
           noticed('test_imports')),
    Mutant('hosts: what is copied to arrays that are read and written is lost', 'host/arrays.c',
           'return (array->access & VKR_HOST_READ) != 0', 'return array->access == VKR_HOST_READ',
           noticed('test_attach')),
    Mutant('hosts: a handle that was not made is destroyed', 'host/host.c',
           'HOST_MAKE(&h->voice, h->pool, d', 'HOST_VK(&h->voice, d',
           ('host-faults-lvp22-8/test_calls', 'host-faults-lvp22-8')),
    # ---- Recordings and waits ----
    Mutant('hosts: a dropped recording leaves its recorder collecting', 'host/run.c',
           'if (!h->collects)', 'if (h->state == HOST_IDLE)',
           noticed('test_cancel')),
    Mutant('hosts: recordings whose arrays are gone are submitted', 'host/run.c',
           'if (h->state == HOST_RECORDED && h->detached)',
           'if (h->state == HOST_FLYING && h->detached)', noticed('test_resubmission_of_arrays')),
    Mutant('hosts: commands before the operations are not waited for', 'host/run.c',
           'VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);\n    stamp(h, 0);',
           'VK_ACCESS_TRANSFER_READ_BIT);\n    stamp(h, 0);',
           ('host-layer/test_own_dispatches', 'host-layer')),
    Mutant('hosts: a wait goes on after its time', 'host/run.c',
           'slice = host_min(slice, h->timeout - waited);', 'slice = host_min(slice, SLICE);',
           noticed('test_timeout')),
    Mutant('hosts: who has waited long enough waits again at the end', 'host/host.c',
           'if (h->working && h->failed == VKR_ERROR_TIMEOUT)',
           'if (h->working && h->failed == VKR_ERROR_DEVICE_LOST)', noticed('test_progress')),
    Mutant('hosts: what a device is at work on is destroyed', 'host/run.c',
           'h->working = result == VK_SUCCESS;', 'h->working = result < VK_SUCCESS;',
           noticed('test_timeout')),
    Mutant('hosts: other hosts go on with a lost device', 'host/run.c',
           'd->lost = true;', 'd->lost = false;', noticed('test_lost')),
    # ---- Times ----
    Mutant('hosts: an operation has the time of the one before', 'host/times.c',
           'h->ticks[i], h->ticks[i + 1])', 'h->ticks[0], h->ticks[i + 1])',
           noticed('test_operation_times')),
    Mutant('hosts: times of a later recording are given', 'host/run.c',
           'h->has_times = false;', 'h->has_times = h->timed;', noticed('test_operation_times')),
    Mutant('hosts: the pool of queries does not grow', 'host/times.c',
           'h->name_room >= count && ', '', noticed('test_operation_times')),
    # ---- Chunks ----
    Mutant('hosts: a call leaves what a failed wait has at work', 'host/chunks.c',
           'host_rest(h);\n    h->state', 'h->state',
           noticed('test_timeout_of_chunks')),
    Mutant('hosts: a call goes on after its second host has waited too long', 'host/chunks.c',
           'h->failed = lanes[1].host->failed;', 'h->failed = VKR_SUCCESS;',
           noticed('test_timeout_of_chunks')),
    Mutant('hosts: data that do not fit the device are one chunk', 'host/chunks.c',
           'plan->size != 0 || !fits)', 'plan->size != 0 && !fits)',
           noticed('test_small_devices')),
    Mutant('hosts: memory that is kept makes no room', 'host/memory.c',
           'if (host_keeps(h))', 'if (host_keeps(h) && size == 0)', noticed('test_kept_memory')),
    # ---- The system ----
    Mutant('hosts: a library that is no loader stays open', 'host/system.c',
           '        dlclose(library);', '        (void)library;',
           ('host-system/test_no_loader', 'host-system')),
    Mutant('hosts: processes write the same file before they rename it', 'host/system.c',
           'process_number(), data', '1L, data', ('host-system/test_processes', 'host-system')),
)
