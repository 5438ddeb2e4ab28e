/* How many characters printf writes for a float; included after format.c.
 *
 * C11 7.21.6.1p8 fixes the number of characters for f and e once that of the digits before the point, or of
 * the exponent, is known, and that follows from the magnitude, but for values next to a power of ten, which
 * may be rounded to it. What the digits are costs more than it is worth: they are unspecified.
 *
 * Infinity may be "inf" or "infinity", a NaN may be followed by characters in parentheses. */

/* "nan" with the bits of a quadruple-precision NaN in parentheses. */
#define LONGEST_NAN 40

/* One reader of magnitudes per type; `TEN_DIGITS` and above stay comparisons of constants. */
#define REAL_FORMATTER(put_name, digits_name, exponent_name, type, MAX_10_EXP, MANT_DIG)                  \
    /* Digits before the point of %f: exact powers of ten, with room for rounding. */                     \
    static int digits_name(type size, int precision, const char *source)                                  \
    {                                                                                                     \
        int least = 1, most = 1, exact_powers = (MANT_DIG) < 53 ? 10 : 22;                                \
        type power = 10, slack = precision > 0 ? (type)0.06 : (type)0.5;                                  \
        for (int i = 0; i < exact_powers; i++, power *= 10) {                                             \
            least += size >= power;                                                                       \
            most += size >= power - slack;                                                                \
        }                                                                                                 \
        if (most > exact_powers)                                                                          \
            most = size < (type)3.5e38 ? 39 : (MAX_10_EXP) + 1;                                           \
        return any_count_between(least, most, source);                                                    \
    }                                                                                                     \
    /* Digits of the exponent of %e: at least two, and no more than needed. */                            \
    static int exponent_name(type size, const char *source)                                               \
    {                                                                                                     \
        if (size == 0 || (size >= (type)1e-30 && size <= (type)1e30))                                     \
            return 2;                                                                                     \
        return any_count_between(2, (MAX_10_EXP) < 100 ? 2 : (MAX_10_EXP) < 1000 ? 3 : 4, source);        \
    }                                                                                                     \
    static void put_name(struct text_target *target, struct conversion how, char kind, type value,        \
                         const char *source)                                                              \
    {                                                                                                     \
        _Bool negative = __builtin_signbit(value) != 0;                                                   \
        const char *sign = negative ? "-" : how.plus ? "+" : how.space ? " " : "";                        \
        type size = negative ? -value : value;                                                            \
        int precision = how.precision < 0 ? 6 : how.precision;                                            \
        int fraction = precision > 0 ? precision + 1 : how.alternate;                                     \
        int count;                                                                                        \
        if (value != value) {                                                                             \
            how.zero = 0;                                                                                 \
            count = any_count_between(3, LONGEST_NAN, source);                                            \
        } else if (size > (type)0 && size == size * 2) {                                                  \
            how.zero = 0;                                                                                 \
            count = __kripke_nondet_bool(source) ? 8 : 3;                                                 \
        } else if (kind == 'f') {                                                                         \
            count = digits_name(size, precision, source) + fraction;                                      \
        } else if (kind == 'e') {                                                                         \
            count = 1 + fraction + 2 + exponent_name(size, source);                                       \
        } else if (kind == 'g') {                                                                         \
            int digits = precision == 0 ? 1 : precision;                                                  \
            int most = digits + ((MAX_10_EXP) < 1000 ? 6 : 7);                                            \
            count = any_count_between(1, most, source);                                                   \
        } else {                                                                                          \
            int least = how.precision > 0 ? how.precision : 0;                                            \
            int most = how.precision >= 0 ? how.precision : ((MANT_DIG) + 6) / 4;                         \
            count = any_count_between(6 + least, 11 + most, source);                                      \
            /* Zeros that fill the field stand after the prefix: they count as unspecified. */            \
            if (how.zero && !how.left && count + (*sign != '\0') < how.width)                            \
                count = how.width - (*sign != '\0');                                                     \
        }                                                                                                 \
        put_unspecified(target, how, sign, count, source);                                                \
    }

REAL_FORMATTER(put_small_real, count_digits_before_point, count_exponent_digits, double, __DBL_MAX_10_EXP__,
               __DBL_MANT_DIG__)
REAL_FORMATTER(put_large_real, count_long_digits_before_point, count_long_exponent_digits, long double,
               __LDBL_MAX_10_EXP__, __LDBL_MANT_DIG__)

static void put_real(struct text_target *target, struct conversion how, char kind, double value,
                     const char *source)
{
    put_small_real(target, how, (char)(kind | 32), value, source);
}

static void put_long_real(struct text_target *target, struct conversion how, char kind, long double value,
                          const char *source)
{
    put_large_real(target, how, (char)(kind | 32), value, source);
}
