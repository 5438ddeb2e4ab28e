/* The math functions of one float type, against the system's library. Where a model only bounds the result,
 * the bound must admit the real one. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "native.h"

#define ROUNDS 20000
#define JOIN(a, b) a##b
#define PASTE(a, b) JOIN(a, b)
#define REAL_NAME(function) PASTE(function, SUFFIX)
#define MODEL_NAME(function) PASTE(PASTE(kripke_model_, function), SUFFIX)

#define UNARY(apply)                                                                                      \
    apply(sin) apply(cos) apply(tan) apply(asin) apply(acos) apply(atan) apply(sinh) apply(cosh)          \
        apply(tanh) apply(asinh) apply(acosh) apply(atanh) apply(exp) apply(exp2) apply(exp10)            \
        apply(expm1) apply(log) apply(log2) apply(log10) apply(log1p) apply(cbrt) apply(erf)              \
        apply(erfc) apply(tgamma) apply(lgamma) apply(logb) apply(significand)
#define BINARY(apply)                                                                                     \
    apply(fdim) apply(nextafter) apply(atan2) apply(pow) apply(hypot) apply(drem)
#define TO_INTEGER(apply) apply(lround) apply(llround) apply(lrint) apply(llrint) apply(ilogb)

#define DECLARE_UNARY(f) extern REAL MODEL_NAME(f)(REAL);
#define DECLARE_BINARY(f) extern REAL MODEL_NAME(f)(REAL, REAL);
#define DECLARE_TO_INTEGER(f) extern __typeof__(REAL_NAME(f)((REAL)0)) MODEL_NAME(f)(REAL);
UNARY(DECLARE_UNARY)
BINARY(DECLARE_BINARY)
TO_INTEGER(DECLARE_TO_INTEGER)
extern REAL MODEL_NAME(frexp)(REAL, int *);
extern REAL MODEL_NAME(ldexp)(REAL, int);
extern REAL MODEL_NAME(scalbn)(REAL, int);
extern REAL MODEL_NAME(scalbln)(REAL, long);
extern REAL MODEL_NAME(modf)(REAL, REAL *);
extern REAL MODEL_NAME(remquo)(REAL, REAL, int *);
extern REAL MODEL_NAME(nexttoward)(REAL, long double);
extern int MODEL_NAME(__fpclassify)(REAL), MODEL_NAME(__signbit)(REAL), MODEL_NAME(__isinf)(REAL),
    MODEL_NAME(__isnan)(REAL), MODEL_NAME(__finite)(REAL);

static REAL random_real(void)
{
    static const REAL special[] = {0, (REAL)-0.0, 1, -1, 2, -2, (REAL)0.5, 10, 3, (REAL)INFINITY,
                                   (REAL)-INFINITY, (REAL)NAN, 64, 100, (REAL)1e-30L, (REAL)1e30L};
    REAL value = 1 + (REAL)(random_bits() >> 1) / (REAL)9223372036854775808.0L;
    if (below(2))
        value = 1 + (REAL)below(64) / 64;
    switch (below(6)) {
    case 0:
        return special[below(16)];
    case 1:
        value = REAL_NAME(ldexp)(value, (int)below(2 * MAX_EXPONENT) - MAX_EXPONENT);
        break;
    case 2:
        value = REAL_NAME(ldexp)(value, -MAX_EXPONENT - (int)below(60));
        break;
    case 3:
        value = (REAL)(int)below(200);
        break;
    default:
        value = REAL_NAME(ldexp)(value, (int)below(16) - 8);
    }
    return below(2) ? -value : value;
}

static int same_bits(REAL a, REAL b)
{
    if (a != a || b != b)
        return a != a && b != b;
    return a == b && !signbit(a) == !signbit(b);
}

static void check(const char *function, REAL x, REAL y, REAL expected, REAL result)
{
    if (!same_bits(expected, result) || excluded) {
        char detail[200];
        snprintf(detail, sizeof detail, "(%.25Lg, %.25Lg): %.25Lg expected, %s %.25Lg", (long double)x,
                 (long double)y, (long double)expected, excluded ? "excluded" : "not", (long double)result);
        char name[40];
        snprintf(name, sizeof name, "%s for " TYPE_NAME, function);
        report(name, detail);
    }
    excluded = 0;
}

#define CHECK_UNARY(f)                                                                                    \
    TRUTH = REAL_NAME(f)(x);                                                                              \
    if (signbit(TRUTH) && ODD(#f))                                                                            \
        TRUTH = -TRUTH;                                                                                   \
    check(#f, x, 0, REAL_NAME(f)(x), MODEL_NAME(f)(x));

#define CHECK_BINARY(f)                                                                                   \
    TRUTH = REAL_NAME(f)(x, y);                                                                           \
    if (signbit(TRUTH) && ODD(#f))                                                                            \
        TRUTH = -TRUTH;                                                                                   \
    check(#f, x, y, REAL_NAME(f)(x, y), MODEL_NAME(f)(x, y));

/* Models that compute the magnitude and then give it a sign. */
#define ODD(name) (strcmp(name, "cbrt") == 0 || strcmp(name, "pow") == 0)

#define CHECK_TO_INTEGER(f)                                                                               \
    true_integer = REAL_NAME(f)(x);                                                                       \
    if ((long long)REAL_NAME(f)(x) != (long long)MODEL_NAME(f)(x))                                        \
        check(#f, x, 0, (REAL)REAL_NAME(f)(x), (REAL)MODEL_NAME(f)(x));

static void check_parts(REAL x, REAL y)
{
    int first = 99, second = 99;
    REAL expected = REAL_NAME(frexp)(x, &first), result = MODEL_NAME(frexp)(x, &second);
    check("frexp", x, 0, expected, result);
    if (isfinite(x) && first != second)
        check("frexp's exponent", x, 0, first, second);
    int shift = (int)below(5 * MAX_EXPONENT) - 5 * MAX_EXPONENT / 2;
    check("ldexp", x, shift, REAL_NAME(ldexp)(x, shift), MODEL_NAME(ldexp)(x, shift));
    check("scalbn", x, shift, REAL_NAME(scalbn)(x, shift), MODEL_NAME(scalbn)(x, shift));
    check("scalbln", x, shift, REAL_NAME(scalbln)(x, shift), MODEL_NAME(scalbln)(x, shift));
    REAL whole, model_whole;
    expected = REAL_NAME(modf)(x, &whole);
    result = MODEL_NAME(modf)(x, &model_whole);
    check("modf", x, 0, expected, result);
    check("modf's integer", x, 0, whole, model_whole);
    true_integer = 0;
    first = second = 0;
    expected = REAL_NAME(remquo)(x, y, &first);
    result = MODEL_NAME(remquo)(x, y, &second);
    check("remquo", x, y, expected, result);
    /* The low three bits count; some libraries give more. */
    if (expected == expected && fabsl((long double)y) < ldexpl(1, MAX_EXPONENT - 4) && (first - second) % 8 != 0)
        check("remquo's quotient", x, y, first, second);
    check("nexttoward", x, y, REAL_NAME(nexttoward)(x, y), MODEL_NAME(nexttoward)(x, y));
    check("fpclassify", x, 0, fpclassify(x), MODEL_NAME(__fpclassify)(x));
    check("signbit", x, 0, !!signbit(x), MODEL_NAME(__signbit)(x));
    check("isinf", x, 0, isinf(x) ? (x > 0 ? 1 : -1) : 0, MODEL_NAME(__isinf)(x));
    check("isnan", x, 0, !!isnan(x), MODEL_NAME(__isnan)(x));
    check("finite", x, 0, !!isfinite(x), MODEL_NAME(__finite)(x));
}

void TEST(void)
{
    excluded = 0;
    for (int round = 0; round < ROUNDS; round++) {
        REAL x = random_real(), y = random_real();
        UNARY(CHECK_UNARY)
        BINARY(CHECK_BINARY)
        TO_INTEGER(CHECK_TO_INTEGER)
        check_parts(x, y);
    }
}
