/* SPDX-License-Identifier: MIT */
/* What a user's function returns: a scalar, or a vector of up to four components; truth values
 * become bits. */
#ifndef VKR_CARD_RETURNED_H
#define VKR_CARD_RETURNED_H

#define VKR_CALL_BOOL 0u
#define VKR_CALL_FLOAT 1u
#define VKR_CALL_INT 2u
#define VKR_CALL_UINT 3u
#define VKR_CALL_RESULT(base, components) ((base)*4u + (components)-1u)

#endif
