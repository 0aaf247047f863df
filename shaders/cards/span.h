/* SPDX-License-Identifier: MIT */
/* What spans.comp leaves for other kernels of a selection. */
/* The words of a span: its first element, its elements, and its entries. */
#define VKR_BEGIN_OF_SPAN 0u
#define VKR_LENGTH_OF_SPAN 1u
#define VKR_FOUND_OF_SPAN 2u
#define VKR_WORDS_OF_SPAN 3u

/* The lists: the numbers of medium segments, of long ones, and of the parts of long ones; then the
 * medium segments; then of each long one its number and that of its first part; and then, for each
 * part, the place of its segment among the long ones. All start as 0. */
#define VKR_LISTS_MEDIUM 0u
#define VKR_LISTS_LONG 1u
#define VKR_LISTS_PARTS 2u
#define VKR_LISTS_WORDS 3u
#define VKR_LONG_WORDS 2u
