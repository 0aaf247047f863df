/* SPDX-License-Identifier: MIT */
/*
 * Finds the element for a position of a compacted stream or block: the kept element j for which j -
 * sum(j) is that position, where sum(j) counts the rejected elements among 0 .. j. VKR_SUM_AT(j)
 * reads that. VKR_ON_TRIP is expanded for each trip of a loop. Source: Roger and others, "Efficient
 * Stream Reduction on the GPU" (2007), section III-B and Fig. 5.
 */
#ifndef VKR_SEARCH_GLSL
#define VKR_SEARCH_GLSL

#ifndef VKR_ON_TRIP
#define VKR_ON_TRIP()
#endif

bool vkr_is_rejected(const uint j)
{
    return VKR_SUM_AT(j) != (j == 0u ? 0u : VKR_SUM_AT(j - 1u));
}

/* Bisects the range by the number of kept elements, with the same number of trips for all data. */
uint vkr_search_for(const uint position, uint lower, uint upper, const uint trips)
{
    for (uint trip = 0u; trip < trips; trip++) {
        VKR_ON_TRIP()
        uint j = (lower + upper) / 2u;
        bool is_below = j + 1u - VKR_SUM_AT(j) <= position;
        lower = is_below ? j + 1u : lower;
        upper = is_below ? upper : j;
    }
    return lower;
}

/* The algorithm of Fig. 5: j - sum(j) is a contraction, so the error narrows the range. A trip
 * narrows the range by at least one element, which bounds the loop. */
uint vkr_search_while(const uint position, uint lower, uint upper)
{
    uint j = (lower + upper) / 2u;
    int found = int(j - VKR_SUM_AT(j)) - int(position);
    for (uint left = upper - lower; left > 0u && (found != 0 || vkr_is_rejected(j)); left--) {
        VKR_ON_TRIP()
        if (found < 0)
            lower = j + uint(-found);
        else
            upper = j - uint(max(1, found));
        j = (lower + upper) / 2u;
        found = int(j - VKR_SUM_AT(j)) - int(position);
    }
    return j;
}

#endif
