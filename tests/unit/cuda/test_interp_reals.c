/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Floating-point instructions of the interpreter against computations in C.
 *
 * test: libs=warpscope_cuda_interp
 */
#include "interp_reference.h"

static float flush(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float clamp(float x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

static float minimum(float x, float y)
{
    return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}

REF(fadd_e, of_f(F(x) + F(y)))
REF(fsub_e, of_f(F(x) - F(y)))
REF(fmul_e, of_f(F(x) * F(y)))
REF(fdiv_e, of_f(F(x) / F(y)))
REF(ffma_e, of_f(fmaf(F(x), F(y), F(z))))
REF(fmul_rz_e, of_f(rounded((long double)F(x) * F(y), FE_TOWARDZERO)))
REF(fmul_rm_e, of_f(rounded((long double)F(x) * F(y), FE_DOWNWARD)))
REF(fmul_rp_e, of_f(rounded((long double)F(x) * F(y), FE_UPWARD)))
REF(fadd_ftz_e, of_f(flush(flush(F(x)) + flush(F(y)))))
REF(fadd_sat_e, of_f(clamp(F(x) + F(y))))
REF(fmin_e, of_f(minimum(F(x), F(y))))
REF(fneg_e, U32(x) ^ 0x80000000u)
REF(fabs_e, x & 0x7fffffff)
REF(fsqrt_e, of_f(sqrtf(F(x))))
REF(frcp_e, of_f(1 / F(x)))
REF(copysign_e, (x & 0x80000000u) | (y & 0x7fffffffu))
REF(dadd_e, of_d(D(x) + D(y)))
REF(dmul_e, of_d(D(x) * D(y)))
REF(dfma_e, of_d(fma(D(x), D(y), D(z))))
REF(ddiv_e, of_d(D(x) / D(y)))
REF(setp_lt_e, F(x) < F(y))
REF(setp_ne_e, F(x) < F(y) || F(x) > F(y))
REF(setp_neu_e, F(x) != F(y))
REF(setp_leu_e, !(F(x) > F(y)))
REF(setp_num_e, !isnan(F(x)) && !isnan(F(y)))
REF(setp_d_e, D(x) >= D(y))
REF(setp_s_e, S32(x) < S32(y))
REF(setp_hi_e, U32(x) > U32(y))
REF(setp_and_e, S64(x) >= S64(y) && !(w != 0))
REF(set_e, F(x) == F(y) ? 0x3f800000 : 0)
REF(set_u_e, S32(x) > S32(y) ? UINT32_MAX : 0)
REF(testp_e, fpclassify(F(x)) == FP_SUBNORMAL)

static const struct instruction reals[] = {
    {"add.f32 %r0, %r1, %r2;", 4, fadd_e},
    {"sub.rn.f32 %r0, %r1, %r2;", 4, fsub_e},
    {"mul.f32 %r0, %r1, %r2;", 4, fmul_e},
    {"div.rn.f32 %r0, %r1, %r2;", 4, fdiv_e},
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", 4, ffma_e},
    {"mul.rz.f32 %r0, %r1, %r2;", 4, fmul_rz_e},
    {"mul.rm.f32 %r0, %r1, %r2;", 4, fmul_rm_e},
    {"mul.rp.f32 %r0, %r1, %r2;", 4, fmul_rp_e},
    {"add.ftz.f32 %r0, %r1, %r2;", 4, fadd_ftz_e},
    {"add.sat.f32 %r0, %r1, %r2;", 4, fadd_sat_e},
    {"min.f32 %r0, %r1, %r2;", 4, fmin_e},
    {"neg.f32 %r0, %r1;", 4, fneg_e},
    {"abs.f32 %r0, %r1;", 4, fabs_e},
    {"sqrt.rn.f32 %r0, %r1;", 4, fsqrt_e},
    {"rcp.rn.f32 %r0, %r1;", 4, frcp_e},
    {"copysign.f32 %r0, %r1, %r2;", 4, copysign_e},
    {"add.f64 %d0, %d1, %d2;", 8, dadd_e},
    {"mul.rn.f64 %d0, %d1, %d2;", 8, dmul_e},
    {"fma.rn.f64 %d0, %d1, %d2, %d3;", 8, dfma_e},
    {"div.rn.f64 %d0, %d1, %d2;", 8, ddiv_e},
    {"setp.lt.f32 %p0, %r1, %r2;", 1, setp_lt_e},
    {"setp.ne.f32 %p0, %r1, %r2;", 1, setp_ne_e},
    {"setp.neu.f32 %p0, %r1, %r2;", 1, setp_neu_e},
    {"setp.leu.f32 %p0, %r1, %r2;", 1, setp_leu_e},
    {"setp.num.f32 %p0, %r1, %r2;", 1, setp_num_e},
    {"setp.ge.f64 %p0, %d1, %d2;", 1, setp_d_e},
    {"setp.lt.s32 %p0, %r1, %r2;", 1, setp_s_e},
    {"setp.hi.u32 %p0, %r1, %r2;", 1, setp_hi_e},
    {"setp.ge.and.s64 %p0|%p2, %d1, %d2, !%p1;", 1, setp_and_e},
    {"set.eq.f32.f32 %r0, %r1, %r2;", 4, set_e},
    {"set.gt.u32.s32 %r0, %r1, %r2;", 4, set_u_e},
    {"testp.subnormal.f32 %p0, %r1;", 1, testp_e},
};

static void test_reals(void)
{
    check(reals, sizeof reals / sizeof *reals);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"floating-point numbers and comparisons", test_reals},
    };
    state = suite_seed();
    suite_print_seed("floating-point numbers of the interpreter", state);
    state |= 1;
    return suite_run("floating-point numbers of the interpreter", tests,
                     sizeof tests / sizeof *tests);
}
