/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of logsumexp: the steps of reduce.h at level DEVICE, and below it the sum in
 * long double, relative to the greatest element, with the error bound of reduce.h.
 */
#include "oracle_functions.h"
#include "oracle_parts.h"

#define U 0x1p-24

/* ---- Level DEVICE: at[0] is the reference, at[1] the sum ---- */

sums oracle_no_exps(void)
{
    return (sums){{-HUGE_VAL, 0}};
}

sums oracle_exps_of(double x)
{
    return isnan(x) ? (sums){{-HUGE_VAL, x}} : (sums){{x, 1}};
}

static double plus(double a, double b)
{
    return oracle_plus(true, a, b);
}

static double times(double a, double b)
{
    return oracle_times(true, a, b);
}

sums oracle_take_exps(const sums *a, const sums *x)
{
    const double above = plus(x->at[0], -a->at[0]);
    if (above > 16)
        return (sums){
            {x->at[0], plus(times(a->at[1], (double)oracle_exp((float)-above)), x->at[1])}};
    return (sums){{a->at[0], plus(a->at[1], times(x->at[1], (double)oracle_exp((float)above)))}};
}

sums oracle_join_exps(const sums *a, const sums *b)
{
    const sums *greater = b->at[0] > a->at[0] ? b : a, *less = greater == a ? b : a;
    const double factor = (double)oracle_exp((float)plus(less->at[0], -greater->at[0]));
    return (sums){{greater->at[0], plus(greater->at[1], times(less->at[1], factor))}};
}

static uint64_t bits_of(double value)
{
    return oracle_from_real(VKR_TYPE_F32, (long double)value);
}

uint64_t oracle_finish_exps(const sums *all)
{
    if (isnan(all->at[1]))
        return bits_of(NAN);
    if (isinf(all->at[0]))
        return bits_of(all->at[0]);
    const double log2_ = (double)oracle_log2((float)all->at[1]);
    return bits_of(plus(all->at[0], times(log2_, (double)0.693147182f)));
}

/* ---- Below it ---- */

static void start(oracle_fold *fold)
{
    fold->state.exps = (exps_facts){.most = -HUGE_VAL};
}

static void add(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    exps_facts *f = &fold->state.exps;
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        const double value = to_double(fold->info.type, x[i]);
        f->nan = f->nan || isnan(value);
        if (isnan(value) || value == -HUGE_VAL)
            continue;
        if (value > f->most) {
            f->sum *= expl((long double)f->most - (long double)value);
            f->most = value;
        }
        f->sum += isinf(value) ? 1 : expl((long double)value - (long double)f->most);
    }
}

static void finish(oracle_fold *fold, oracle_value *value)
{
    const exps_facts *f = &fold->state.exps;
    if (f->nan || isinf(f->most)) {
        set_bits(value, bits_of(f->nan ? (double)NAN : f->most), 0);
        return;
    }
    const long double log_ = logl(f->sum), result = (long double)f->most + log_;
    const double n = (double)fold->count;
    const double sum = 8 * log2(n) + 160, error = sum + 12 * (double)log_ + fabs((double)result);
    const uint64_t bits = oracle_from_real(VKR_TYPE_F32, result);
    /* The bound is that of the exact logarithm, which is beside the value that is compared. */
    const long double beside = fabsl(result - (long double)to_double(VKR_TYPE_F32, bits));
    set_bits(value, bits, U * error + (double)beside + 0x1p-125);
}

const method oracle_exps = {start, add, finish};
