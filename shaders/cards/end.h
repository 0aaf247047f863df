/* SPDX-License-Identifier: MIT */
/* Ends a card: the next one has other names. */
#undef VKR_CARD
#undef VKR_NAME
