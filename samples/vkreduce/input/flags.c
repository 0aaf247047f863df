/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include "input/flags.h"
#include "status.h"

#define PORTION 65536u /* bytes that are checked at a time */

int numbers_open(input *in, const char *name, const input_options *opts, const char *what)
{
    int status = input_open(in, name, opts);
    if (status == STATUS_DONE && in->components != 1)
        return fail(STATUS_USAGE, "%s: it has %u channels; %s needs one value for each element",
                    name, in->components, what);
    return status;
}

int array_open(input *in, const char *name, const char *what)
{
    return numbers_open(in, name, &(input_options){.role = INPUT_OF_OPTION}, what);
}

int flags_open(input *in, const char *name, const char *what, uint64_t count)
{
    int status = array_open(in, name, what);
    if (status == STATUS_DONE && in->count != count)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " values; %s needs one for each of %" PRIu64 " elements",
                    name, in->count, what, count);
    return status;
}

int flags_load(const input *in, uint64_t first, uint64_t count, uint32_t *bits)
{
    unsigned char values[PORTION];
    const size_t size = vkrTypeSize(in->type);
    const unsigned char sign = in->type >= VKR_TYPE_F16 ? 0x7f : 0xff; /* -0 counts as 0 */
    memset(bits, 0, (size_t)flag_bytes(count));
    for (uint64_t done = 0; done < count;) {
        uint64_t portion = least(count - done, PORTION / size);
        int status = input_load(in, first + done, portion, values);
        if (status != STATUS_DONE)
            return status;
        for (uint64_t i = 0; i < portion; i++) {
            unsigned char any = values[i * size + size - 1] & sign;
            for (size_t k = 0; k + 1 < size; k++)
                any |= values[i * size + k];
            if (any != 0)
                set_flag(bits, done + i);
        }
        done += portion;
    }
    return STATUS_DONE;
}
