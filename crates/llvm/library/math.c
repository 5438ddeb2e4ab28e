/* <math.h>, compiled once per float type with
 *   REAL            the type,
 *   NAME(f)         the function's name for it (sin, sinf, sinl),
 *   MATH            what a C library gives for a function of analysis, named with its one or two arguments,
 *   BUILTIN(f)      the compiler's name of a primitive,
 *   PRECISION       the bits of the significand, the leading one included,
 *   MAX_EXPONENT    the largest exponent of two as <float.h> counts it.
 *
 * fabs, floor, ceil, trunc, round, roundeven, rint, nearbyint, sqrt, fma, copysign, fmin, fmax, fmod and
 * remainder are primitives. What is an operation on the format (frexp, ldexp, modf, nextafter, …) is
 * exact. What is a function of analysis (sin, exp, pow, …) has its special values exact; the others the
 * front end leaves to the engine, which knows their values. The bounds here, which a faithfully rounded
 * implementation stays in, are all that is known of long double, and a start for the others. errno is not
 * set, which C allows.
 */

/* The pairs of doubles that PowerPC has for long double are not modelled. */
#if PRECISION != 106

#if PRECISION == 24
typedef uint32_t NAME(kripke_bits_);
#elif PRECISION == 53
typedef uint64_t NAME(kripke_bits_);
#elif PRECISION == 113
typedef unsigned _BitInt(128) NAME(kripke_bits_);
#endif

#if PRECISION == 64

/* x87: the leading bit of the significand is stored. */
union NAME(kripke_parts_) {
    REAL real;
    struct {
        uint64_t significand;
        uint16_t high; /* sign and exponent */
    } bits;
};

static int NAME(field_)(REAL x)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    return parts.bits.high & 0x7fff;
}

static REAL NAME(with_field_)(REAL x, int field)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    parts.bits.high = (uint16_t)((parts.bits.high & 0x8000) | field);
    return parts.real;
}

static int NAME(negative_)(REAL x)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    return parts.bits.high >> 15;
}

#else

#define FRACTION_BITS (PRECISION - 1)
#define FIELD_MASK (2 * MAX_EXPONENT - 1)

union NAME(kripke_parts_) {
    REAL real;
    NAME(kripke_bits_) bits;
};

static int NAME(field_)(REAL x)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    return (int)(parts.bits >> FRACTION_BITS) & FIELD_MASK;
}

static REAL NAME(with_field_)(REAL x, int field)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    parts.bits &= ~((NAME(kripke_bits_))FIELD_MASK << FRACTION_BITS);
    parts.bits |= (NAME(kripke_bits_))field << FRACTION_BITS;
    return parts.real;
}

static int NAME(negative_)(REAL x)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    return (int)(parts.bits >> (sizeof(REAL) * 8 - 1)) & 1;
}

#endif

#define SPECIAL_FIELD (2 * MAX_EXPONENT - 1)
#define INFINITE ((REAL)__builtin_inff())
#define NOT_A_NUMBER ((REAL)__builtin_nanf(""))
#define IS_NAN(x) ((x) != (x))
#define IS_INFINITE(x) ((x) == INFINITE || (x) == -INFINITE)
#if defined(__i386__) || defined(__x86_64__)
#define ILOGB_OF_ZERO (-__INT_MAX__ - 1)
#define ILOGB_OF_NAN (-__INT_MAX__ - 1)
#else
#define ILOGB_OF_ZERO (-__INT_MAX__)
#define ILOGB_OF_NAN __INT_MAX__
#endif
#define PI ((REAL)3.14159265358979323846264338327950288L)

REAL NAME(remainder)(REAL x, REAL y);
REAL NAME(fmod)(REAL x, REAL y);

/* 2^exponent, for exponents of normal numbers. */
static REAL NAME(power_of_two_)(int exponent)
{
    return NAME(with_field_)(1, exponent + MAX_EXPONENT - 1);
}

int NAME(finite)(REAL x)
{
    return NAME(field_)(x) != SPECIAL_FIELD;
}

int NAME(__finite)(REAL x)
{
    return NAME(field_)(x) != SPECIAL_FIELD;
}

int NAME(isnan)(REAL x)
{
    return IS_NAN(x);
}

int NAME(__isnan)(REAL x)
{
    return IS_NAN(x);
}

int NAME(isinf)(REAL x)
{
    return x == INFINITE ? 1 : x == -INFINITE ? -1 : 0;
}

int NAME(__isinf)(REAL x)
{
    return x == INFINITE ? 1 : x == -INFINITE ? -1 : 0;
}

int NAME(__signbit)(REAL x)
{
    return NAME(negative_)(x);
}

/* FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4: glibc, musl and newlib agree. */
int NAME(__fpclassify)(REAL x)
{
    int field = NAME(field_)(x);
    if (IS_NAN(x))
        return 0;
    if (field == SPECIAL_FIELD)
        return 1;
    if (x == 0)
        return 2;
    return field == 0 ? 3 : 4;
}

REAL NAME(fdim)(REAL x, REAL y)
{
    if (IS_NAN(x) || IS_NAN(y))
        return x + y;
    return x > y ? x - y : 0;
}

REAL NAME(frexp)(REAL x, int *exponent)
{
    int field = NAME(field_)(x);
    if (field == SPECIAL_FIELD || x == 0) {
        *exponent = 0;
        return x + x;
    }
    int shift = 0;
    if (field == 0) {
        x *= NAME(power_of_two_)(PRECISION + 1);
        shift = PRECISION + 1;
        field = NAME(field_)(x);
    }
    *exponent = field - (MAX_EXPONENT - 2) - shift;
    return NAME(with_field_)(x, MAX_EXPONENT - 2);
}

static REAL NAME(scale_)(REAL x, long exponent)
{
    /* One step is at most 2^(MAX_EXPONENT - 1), and not so small that a second one could round again. */
    const int up = MAX_EXPONENT - 1, down = 2 - MAX_EXPONENT + PRECISION;
    if (exponent > up) {
        x *= NAME(power_of_two_)(up);
        exponent -= up;
        if (exponent > up) {
            x *= NAME(power_of_two_)(up);
            exponent -= up;
            if (exponent > up)
                exponent = up;
        }
    } else if (exponent < 2 - MAX_EXPONENT) {
        x *= NAME(power_of_two_)(down);
        exponent -= down;
        if (exponent < 2 - MAX_EXPONENT) {
            x *= NAME(power_of_two_)(down);
            exponent -= down;
            if (exponent < 2 - MAX_EXPONENT)
                exponent = 2 - MAX_EXPONENT;
        }
    }
    return x * NAME(power_of_two_)((int)exponent);
}

REAL NAME(ldexp)(REAL x, int exponent)
{
    return NAME(scale_)(x, exponent);
}

REAL NAME(scalbn)(REAL x, int exponent)
{
    return NAME(scale_)(x, exponent);
}

REAL NAME(scalbln)(REAL x, long exponent)
{
    return NAME(scale_)(x, exponent);
}

REAL NAME(modf)(REAL x, REAL *whole)
{
    if (IS_INFINITE(x)) {
        *whole = x;
        return NAME(negative_)(x) ? (REAL)-0.0f : 0;
    }
    *whole = BUILTIN(trunc)(x);
    REAL rest = x - *whole;
    return rest == 0 && NAME(negative_)(x) ? (REAL)-0.0f : rest;
}

/* The exponent of the leading bit of a finite number that is not zero. */
static int NAME(leading_exponent_)(REAL x)
{
    int field = NAME(field_)(x);
    if (field != 0)
        return field - (MAX_EXPONENT - 1);
    return NAME(field_)(x * NAME(power_of_two_)(PRECISION + 1)) - (MAX_EXPONENT - 1) - (PRECISION + 1);
}

int NAME(ilogb)(REAL x)
{
    if (x == 0)
        return ILOGB_OF_ZERO;
    if (IS_NAN(x))
        return ILOGB_OF_NAN;
    if (IS_INFINITE(x))
        return __INT_MAX__;
    return NAME(leading_exponent_)(x);
}

REAL NAME(logb)(REAL x)
{
    if (x == 0)
        return -INFINITE;
    if (IS_NAN(x))
        return x;
    if (IS_INFINITE(x))
        return INFINITE;
    return NAME(leading_exponent_)(x);
}

#if PRECISION == 64

/* The neighbour of a number that is neither zero nor infinite. */
static REAL NAME(neighbour_)(REAL x, int larger_magnitude)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    if (larger_magnitude) {
        parts.bits.significand++;
        if (parts.bits.significand == 0) {
            parts.bits.significand = (uint64_t)1 << 63;
            parts.bits.high++;
        } else if (parts.bits.significand == (uint64_t)1 << 63 && (parts.bits.high & 0x7fff) == 0) {
            parts.bits.high++;
        }
    } else {
        _Bool lowest = parts.bits.significand == (uint64_t)1 << 63;
        parts.bits.significand--;
        if (lowest) {
            parts.bits.high--;
            if ((parts.bits.high & 0x7fff) != 0)
                parts.bits.significand = ~(uint64_t)0;
        }
    }
    return parts.real;
}

static REAL NAME(smallest_)(int negative)
{
    union NAME(kripke_parts_) parts;
    parts.real = 0;
    parts.bits.significand = 1;
    return negative ? -parts.real : parts.real;
}

#else

static REAL NAME(neighbour_)(REAL x, int larger_magnitude)
{
    union NAME(kripke_parts_) parts;
    parts.real = x;
    if (larger_magnitude)
        parts.bits++;
    else
        parts.bits--;
    return parts.real;
}

static REAL NAME(smallest_)(int negative)
{
    union NAME(kripke_parts_) parts;
    parts.bits = 1;
    return negative ? -parts.real : parts.real;
}

#endif

REAL NAME(nextafter)(REAL x, REAL toward)
{
    if (IS_NAN(x) || IS_NAN(toward))
        return x + toward;
    if (x == toward)
        return toward;
    if (x == 0)
        return NAME(smallest_)(toward < 0);
    return NAME(neighbour_)(x, (x < toward) == (x > 0));
}

REAL NAME(nexttoward)(REAL x, long double toward)
{
    if (IS_NAN(x) || toward != toward)
        return x + (REAL)toward;
    if (x == toward)
        return (REAL)toward;
    if (x == 0)
        return NAME(smallest_)(toward < 0);
    return NAME(neighbour_)(x, (x < toward) == (x > 0));
}

/* Out of range the result is unspecified. */
#define ROUND_TO(name, rounded, type, max, nondet)                                                        \
    type NAME(name)(REAL x)                                                                               \
    {                                                                                                     \
        REAL integer = BUILTIN(rounded)(x);                                                               \
        const REAL limit = (REAL)(max / 2 + 1) * 2;                                                       \
        if (integer >= -limit && integer < limit)                             \
            return (type)integer;                                                                         \
        return nondet(#name);                                                                             \
    }

ROUND_TO(lround, round, long, __LONG_MAX__, __kripke_nondet_long)
ROUND_TO(llround, round, long long, __LONG_LONG_MAX__, __kripke_nondet_llong)
ROUND_TO(lrint, rint, long, __LONG_MAX__, __kripke_nondet_long)
ROUND_TO(llrint, rint, long long, __LONG_LONG_MAX__, __kripke_nondet_llong)

REAL NAME(significand)(REAL x)
{
    int exponent;
    if (NAME(field_)(x) == SPECIAL_FIELD || x == 0)
        return x;
    return NAME(frexp)(x, &exponent) * 2;
}

REAL NAME(drem)(REAL x, REAL y)
{
    return NAME(remainder)(x, y);
}

/* The sign and the low three bits of the quotient. Every step is exact. */
REAL NAME(remquo)(REAL x, REAL y, int *quotient)
{
    REAL rest = NAME(remainder)(x, y);
    REAL divisor = BUILTIN(fabs)(y);
    *quotient = 0;
    if (IS_NAN(rest) || IS_INFINITE(y))
        return rest;
    if (divisor >= NAME(power_of_two_)(MAX_EXPONENT - 4)) {
        *quotient = __kripke_nondet_int("remquo");
        return rest;
    }
    REAL eight = NAME(fmod)(BUILTIN(fabs)(x), 8 * divisor);
    REAL four = NAME(fmod)(eight, 4 * divisor);
    REAL two = NAME(fmod)(four, 2 * divisor);
    REAL one = NAME(fmod)(two, divisor);
    int bits = (four != eight) * 4 + (two != four) * 2 + (one != two);
    bits += one != (NAME(negative_)(x) ? -rest : rest);
    *quotient = NAME(negative_)(x) != NAME(negative_)(y) ? -(bits & 7) : bits & 7;
    return rest;
}

static REAL NAME(within_)(REAL low, REAL high, REAL result)
{
    __kripke_assume(result >= low && result <= high);
    return result;
}

/* The result of a function, which lies between two bounds, both included. */
#define BETWEEN(low, high, function, x, y) NAME(within_)(low, high, MATH(function, x, y))

REAL NAME(sin)(REAL x)
{
    if (IS_NAN(x) || IS_INFINITE(x))
        return NOT_A_NUMBER;
    if (x == 0)
        return x;
    REAL magnitude = BUILTIN(fabs)(x);
    REAL bound = magnitude < 1 ? magnitude : 1;
    return BETWEEN(-bound, bound, "sin", x, 0);
}

REAL NAME(cos)(REAL x)
{
    if (IS_NAN(x) || IS_INFINITE(x))
        return NOT_A_NUMBER;
    if (x == 0)
        return 1;
    return BETWEEN(-1, 1, "cos", x, 0);
}

void NAME(sincos)(REAL x, REAL *sine, REAL *cosine)
{
    *sine = NAME(sin)(x);
    *cosine = NAME(cos)(x);
}

REAL NAME(tan)(REAL x)
{
    if (IS_NAN(x) || IS_INFINITE(x))
        return NOT_A_NUMBER;
    if (x == 0)
        return x;
    REAL result = MATH("tan", x, 0);
    __kripke_assume(!IS_NAN(result) && !IS_INFINITE(result));
    return result;
}

REAL NAME(asin)(REAL x)
{
    if (IS_NAN(x) || x < -1 || x > 1)
        return NOT_A_NUMBER;
    if (x == 0)
        return x;
    return x > 0 ? BETWEEN(x, PI / 2, "asin", x, 0) : BETWEEN(-PI / 2, x, "asin", x, 0);
}

REAL NAME(acos)(REAL x)
{
    if (IS_NAN(x) || x < -1 || x > 1)
        return NOT_A_NUMBER;
    if (x == 1)
        return 0;
    return BETWEEN(0, PI, "acos", x, 0);
}

REAL NAME(atan)(REAL x)
{
    if (IS_NAN(x) || x == 0)
        return x;
    REAL magnitude = BUILTIN(fabs)(x);
    REAL bound = magnitude < PI / 2 ? magnitude : PI / 2;
    return x > 0 ? BETWEEN(0, bound, "atan", x, 0) : BETWEEN(-bound, 0, "atan", x, 0);
}

REAL NAME(atan2)(REAL y, REAL x)
{
    if (IS_NAN(x) || IS_NAN(y))
        return NOT_A_NUMBER;
    if (y == 0 && !NAME(negative_)(x))
        return y;
    /* To the left of the axis at least pi/2, of which 1 is a bound that no rounding crosses. */
    REAL low = NAME(negative_)(x) ? 1 : 0, high = NAME(negative_)(x) ? PI : PI / 2;
    return NAME(negative_)(y) ? BETWEEN(-high, -low, "atan2", y, x) : BETWEEN(low, high, "atan2", y, x);
}

REAL NAME(sinh)(REAL x)
{
    if (IS_NAN(x) || IS_INFINITE(x) || x == 0)
        return x;
    return x > 0 ? BETWEEN(x, INFINITE, "sinh", x, 0) : BETWEEN(-INFINITE, x, "sinh", x, 0);
}

REAL NAME(cosh)(REAL x)
{
    if (IS_NAN(x))
        return x;
    if (IS_INFINITE(x))
        return INFINITE;
    return x == 0 ? 1 : BETWEEN(1, INFINITE, "cosh", x, 0);
}

/* Common implementations are not faithful for small arguments: twice the argument is the bound. */
REAL NAME(tanh)(REAL x)
{
    if (IS_NAN(x) || x == 0)
        return x;
    if (IS_INFINITE(x))
        return x > 0 ? 1 : -1;
    REAL bound = BUILTIN(fabs)(x) < (REAL)0.5f ? 2 * BUILTIN(fabs)(x) : 1;
    return x > 0 ? BETWEEN(0, bound, "tanh", x, 0) : BETWEEN(-bound, 0, "tanh", x, 0);
}

REAL NAME(asinh)(REAL x)
{
    if (IS_NAN(x) || IS_INFINITE(x) || x == 0)
        return x;
    return x > 0 ? BETWEEN(0, x, "asinh", x, 0) : BETWEEN(x, 0, "asinh", x, 0);
}

REAL NAME(acosh)(REAL x)
{
    if (IS_NAN(x) || x < 1)
        return NOT_A_NUMBER;
    if (x == 1)
        return 0;
    return IS_INFINITE(x) ? x : BETWEEN(0, x, "acosh", x, 0);
}

REAL NAME(atanh)(REAL x)
{
    if (IS_NAN(x) || x < -1 || x > 1)
        return NOT_A_NUMBER;
    if (x == 0)
        return x;
    if (x == 1 || x == -1)
        return x * INFINITE;
    return x > 0 ? BETWEEN(x, MAX_EXPONENT, "atanh", x, 0) : BETWEEN(-MAX_EXPONENT, x, "atanh", x, 0);
}

/* e^x, 2^x or 10^x. */
#define EXPONENTIAL(function, x)                                                                          \
    (IS_NAN(x)        ? (x)                                                                               \
     : (x) == 0       ? 1                                                                                 \
     : IS_INFINITE(x) ? ((x) > 0 ? (x) : 0)                                                               \
     : (x) > 0        ? BETWEEN(1, INFINITE, function, x, 0)                                              \
                      : BETWEEN(0, 1, function, x, 0))

REAL NAME(exp)(REAL x)
{
    return EXPONENTIAL("exp", x);
}

REAL NAME(exp2)(REAL x)
{
    if (x >= 2 - MAX_EXPONENT && x < MAX_EXPONENT && BUILTIN(trunc)(x) == x)
        return NAME(power_of_two_)((int)x);
    return EXPONENTIAL("exp2", x);
}

REAL NAME(exp10)(REAL x)
{
    return EXPONENTIAL("exp10", x);
}

REAL NAME(expm1)(REAL x)
{
    if (IS_NAN(x) || x == 0)
        return x;
    if (IS_INFINITE(x))
        return x > 0 ? x : -1;
    return x > 0 ? BETWEEN(x, INFINITE, "expm1", x, 0) : BETWEEN(x > -1 ? x : -1, 0, "expm1", x, 0);
}

/* A logarithm: no base of those in C gives more than MAX_EXPONENT + PRECISION in magnitude. */
#define LOGARITHM(function, x)                                                                            \
    (IS_NAN(x)         ? (x)                                                                              \
     : (x) == 0        ? -INFINITE                                                                        \
     : (x) < 0         ? NOT_A_NUMBER                                                                     \
     : (x) == 1        ? 0                                                                                \
     : (x) == INFINITE ? (x)                                                                              \
     : (x) > 1         ? BETWEEN(0, MAX_EXPONENT, function, x, 0)                                         \
                       : BETWEEN(-MAX_EXPONENT - PRECISION, 0, function, x, 0))

REAL NAME(log)(REAL x)
{
    return LOGARITHM("log", x);
}

REAL NAME(log2)(REAL x)
{
    int exponent;
    if (x > 0 && x < INFINITE && NAME(frexp)(x, &exponent) == (REAL)0.5f)
        return exponent - 1;
    return LOGARITHM("log2", x);
}

REAL NAME(log10)(REAL x)
{
    return LOGARITHM("log10", x);
}

REAL NAME(log1p)(REAL x)
{
    if (IS_NAN(x) || x == 0)
        return x;
    if (x == -1)
        return -INFINITE;
    if (x < -1)
        return NOT_A_NUMBER;
    if (x == INFINITE)
        return x;
    return x > 0 ? BETWEEN(0, x < MAX_EXPONENT ? x : MAX_EXPONENT, "log1p", x, 0)
                 : BETWEEN(-MAX_EXPONENT - PRECISION, x, "log1p", x, 0);
}

/* 0: no integer, 1: an odd one, 2: an even one. */
static int NAME(parity_)(REAL y)
{
    if (BUILTIN(trunc)(y) != y)
        return 0;
    REAL half = y / 2;
    return BUILTIN(trunc)(half) == half ? 2 : 1;
}

REAL NAME(pow)(REAL x, REAL y)
{
    if (y == 0 || x == 1)
        return 1;
    if (IS_NAN(x) || IS_NAN(y))
        return NOT_A_NUMBER;
    if (y == 1)
        return x;
    REAL magnitude = BUILTIN(fabs)(x);
    if (IS_INFINITE(y)) {
        if (magnitude == 1)
            return 1;
        return (magnitude > 1) == (y > 0) ? INFINITE : 0;
    }
    int parity = NAME(parity_)(y);
    int negative = parity == 1 && NAME(negative_)(x);
    if (x == 0 || IS_INFINITE(x)) {
        REAL result = (x == 0) == (y > 0) ? 0 : INFINITE;
        return negative ? -result : result;
    }
    if (x < 0 && parity == 0)
        return NOT_A_NUMBER;
    if (magnitude == 1)
        return negative ? -1 : 1;
    if (magnitude == 2 && parity != 0 && BUILTIN(fabs)(y) < 2 * MAX_EXPONENT) {
        REAL result = NAME(scale_)(1, (long)y);
        return negative ? -result : result;
    }
    /* A power that is exact is computed: integers while they fit the significand. */
    if (parity != 0 && y > 0 && y <= 64 && BUILTIN(trunc)(magnitude) == magnitude) {
        const REAL limit = NAME(power_of_two_)(PRECISION);
        REAL product = 1, left = y;
        while (left > 0 && product <= limit / magnitude) {
            product *= magnitude;
            left -= 1;
        }
        if (left == 0)
            return negative ? -product : product;
    }
    int large = (magnitude >= 1) == (y > 0);
    REAL result = BETWEEN(large ? 1 : 0, large ? INFINITE : 1, "pow", magnitude, y);
    return negative ? -result : result;
}

REAL NAME(cbrt)(REAL x)
{
    if (NAME(field_)(x) == SPECIAL_FIELD || x == 0)
        return x;
    REAL magnitude = BUILTIN(fabs)(x);
    REAL low = magnitude >= 1 ? 1 : magnitude, high = magnitude >= 1 ? magnitude : 1;
    REAL result = BETWEEN(low, high, "cbrt", magnitude, 0);
    return x < 0 ? -result : result;
}

REAL NAME(hypot)(REAL x, REAL y)
{
    if (IS_INFINITE(x) || IS_INFINITE(y))
        return INFINITE;
    if (IS_NAN(x) || IS_NAN(y))
        return NOT_A_NUMBER;
    REAL a = BUILTIN(fabs)(x), b = BUILTIN(fabs)(y);
    if (a == 0 || b == 0)
        return a + b;
    REAL sum = a + b;
    return BETWEEN(a > b ? a : b, IS_INFINITE(sum) ? sum : NAME(neighbour_)(sum, 1), "hypot", x, y);
}

REAL NAME(erf)(REAL x)
{
    if (IS_NAN(x) || x == 0)
        return x;
    return x > 0 ? BETWEEN(0, 1, "erf", x, 0) : BETWEEN(-1, 0, "erf", x, 0);
}

REAL NAME(erfc)(REAL x)
{
    if (IS_NAN(x))
        return x;
    return x > 0 ? BETWEEN(0, 1, "erfc", x, 0) : BETWEEN(1, 2, "erfc", x, 0);
}

REAL NAME(tgamma)(REAL x)
{
    if (IS_NAN(x) || x == INFINITE)
        return x;
    if (x == 0)
        return NAME(negative_)(x) ? -INFINITE : INFINITE;
    if (x < 0 && BUILTIN(trunc)(x) == x)
        return NOT_A_NUMBER;
    if (x == 1 || x == 2)
        return 1;
    return BETWEEN(x > 0 ? (REAL)0.875f : -INFINITE, INFINITE, "tgamma", x, 0);
}

REAL NAME(lgamma)(REAL x)
{
    if (IS_NAN(x))
        return x;
    if (IS_INFINITE(x) || (x <= 0 && BUILTIN(trunc)(x) == x))
        return INFINITE;
    if (x == 1 || x == 2)
        return 0;
    return BETWEEN(-INFINITE, INFINITE, "lgamma", x, 0);
}

#undef FRACTION_BITS
#undef FIELD_MASK
#undef SPECIAL_FIELD
#undef INFINITE
#undef NOT_A_NUMBER
#undef IS_NAN
#undef IS_INFINITE
#undef PI
#undef ROUND_TO
#undef BETWEEN
#undef EXPONENTIAL
#undef LOGARITHM
#undef ILOGB_OF_ZERO
#undef ILOGB_OF_NAN

#endif
