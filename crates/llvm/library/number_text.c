/* Text to numbers: strtol and its relatives exact, in the "C" locale; strtod and its relatives with the
 * exact extent of the number, and its exact value when the digits and the power of ten are exact floats
 * (at most 15 digits and exponents to 22 for double); otherwise any value of the right sign. */

extern int errno;
#define ERANGE_VALUE 34
#define EINVAL_VALUE 22

static int is_space(char c)
{
    return (c == ' ') | ((c >= '\t') & (c <= '\r'));
}

/* The value of a digit in bases up to 36; 99 for anything else. */
static unsigned int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned int)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned int)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned int)(c - 'A') + 10;
    return 99;
}

struct magnitude {
    unsigned long long value;
    const char *end; /* NULL when there is no number */
    _Bool negative, overflow;
};

/* Reads an integer whose magnitude is at most `limit`. */
static struct magnitude read_integer(const char *text, int base, unsigned long long limit)
{
    struct magnitude result = {0, NULL, 0, 0};
    while (is_space(*text))
        text++;
    if (*text == '-' || *text == '+') {
        result.negative = *text == '-';
        text++;
    }
    if ((base == 0 || base == 16) && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
        digit_value(text[2]) < 16) {
        text += 2;
        base = 16;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    for (;; text++) {
        unsigned int digit = digit_value(*text);
        if (digit >= (unsigned int)base)
            break;
        if (result.value > (limit - digit) / (unsigned int)base) {
            result.overflow = 1;
            result.value = limit;
        } else if (!result.overflow) {
            result.value = result.value * (unsigned int)base + digit;
        }
        result.end = text + 1;
    }
    return result;
}

/* A text without a number: POSIX lets errno become EINVAL. */
static void no_number(const char *source)
{
    if (__kripke_nondet_bool(source))
        errno = EINVAL_VALUE;
}

static int valid_base(int base)
{
    if (base == 0 || (base >= 2 && base <= 36))
        return 1;
    errno = EINVAL_VALUE;
    return 0;
}

static long long read_signed(const char *text, char **end, int base, unsigned long long max)
{
    if (!valid_base(base))
        return 0;
    struct magnitude number = read_integer(text, base, max + 1);
    if (end != NULL)
        *end = (char *)(number.end != NULL ? number.end : text);
    if (number.end == NULL)
        no_number("strtol");
    if (number.overflow || (!number.negative && number.value > max)) {
        errno = ERANGE_VALUE;
        return number.negative ? (long long)-(max + 1) : (long long)max;
    }
    return (long long)(number.negative ? -number.value : number.value);
}

static unsigned long long read_unsigned(const char *text, char **end, int base, unsigned long long max)
{
    if (!valid_base(base))
        return 0;
    struct magnitude number = read_integer(text, base, max);
    if (end != NULL)
        *end = (char *)(number.end != NULL ? number.end : text);
    if (number.end == NULL)
        no_number("strtoul");
    if (number.overflow) {
        errno = ERANGE_VALUE;
        return max;
    }
    return number.negative ? -number.value : number.value;
}

long strtol(const char *text, char **end, int base)
{
    return (long)read_signed(text, end, base, __LONG_MAX__);
}

long long strtoll(const char *text, char **end, int base)
{
    return read_signed(text, end, base, __LONG_LONG_MAX__);
}

intmax_t strtoimax(const char *text, char **end, int base)
{
    return (intmax_t)read_signed(text, end, base, __INTMAX_MAX__);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    return (unsigned long)read_unsigned(text, end, base, __LONG_MAX__ * 2UL + 1);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    return read_unsigned(text, end, base, __LONG_LONG_MAX__ * 2ULL + 1);
}

uintmax_t strtoumax(const char *text, char **end, int base)
{
    return (uintmax_t)read_unsigned(text, end, base, __INTMAX_MAX__ * (uintmax_t)2 + 1);
}

/* The names that newer glibc headers put in place of the plain ones; they differ in reading 0b binary
 * numbers for base 0 and 2, which C23 adds. */
static const char *skip_binary_prefix(const char *text, int base, _Bool *negative)
{
    *negative = 0;
    if (base != 0 && base != 2)
        return NULL;
    while (is_space(*text))
        text++;
    if (*text == '-' || *text == '+') {
        *negative = *text == '-';
        text++;
    }
    if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B') && (text[2] == '0' || text[2] == '1'))
        return text + 2;
    return NULL;
}

static long long read_signed_c23(const char *text, char **end, int base, unsigned long long max)
{
    _Bool negative;
    const char *digits = skip_binary_prefix(text, base, &negative);
    if (digits == NULL)
        return read_signed(text, end, base, max);
    struct magnitude number = read_integer(digits, 2, negative ? max + 1 : max);
    if (end != NULL)
        *end = (char *)number.end;
    if (number.overflow)
        errno = ERANGE_VALUE;
    return (long long)(negative ? -number.value : number.value);
}

static unsigned long long read_unsigned_c23(const char *text, char **end, int base, unsigned long long max)
{
    _Bool negative;
    const char *digits = skip_binary_prefix(text, base, &negative);
    if (digits == NULL)
        return read_unsigned(text, end, base, max);
    struct magnitude number = read_integer(digits, 2, max);
    if (end != NULL)
        *end = (char *)number.end;
    if (number.overflow) {
        errno = ERANGE_VALUE;
        return max;
    }
    return negative ? -number.value : number.value;
}

long __isoc23_strtol(const char *text, char **end, int base)
{
    return (long)read_signed_c23(text, end, base, __LONG_MAX__);
}

long long __isoc23_strtoll(const char *text, char **end, int base)
{
    return read_signed_c23(text, end, base, __LONG_LONG_MAX__);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    return (unsigned long)read_unsigned_c23(text, end, base, __LONG_MAX__ * 2UL + 1);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base)
{
    return read_unsigned_c23(text, end, base, __LONG_LONG_MAX__ * 2ULL + 1);
}

intmax_t __isoc23_strtoimax(const char *text, char **end, int base)
{
    return (intmax_t)read_signed_c23(text, end, base, __INTMAX_MAX__);
}

uintmax_t __isoc23_strtoumax(const char *text, char **end, int base)
{
    return (uintmax_t)read_unsigned_c23(text, end, base, __INTMAX_MAX__ * (uintmax_t)2 + 1);
}

/* C11 7.22.1 leaves the behaviour undefined where the number does not fit: any value here. They need not
 * set errno. */
static long long read_decimal_integer(const char *text, unsigned long long max, const char *source)
{
    struct magnitude number = read_integer(text, 10, max + 1);
    if (number.overflow || (!number.negative && number.value > max))
        return __kripke_nondet_llong(source);
    return (long long)(number.negative ? -number.value : number.value);
}

int atoi(const char *text)
{
    return (int)read_decimal_integer(text, __INT_MAX__, "atoi");
}

long atol(const char *text)
{
    return (long)read_decimal_integer(text, __LONG_MAX__, "atol");
}

long long atoll(const char *text)
{
    return read_decimal_integer(text, __LONG_LONG_MAX__, "atoll");
}

/* A decimal number: digits * 10^exponent. `end` is NULL when there is no number; `exact` is false when
 * the digits do not fit; `special` is 'i' for infinity, 'n' for NaN, 'x' for a hexadecimal number. */
struct decimal {
    unsigned long long digits;
    int exponent;
    const char *end;
    _Bool negative, exact;
    char special;
};

static int has_word(const char *text, const char *word)
{
    for (; *word != '\0'; text++, word++)
        if (*text != *word && *text != *word - 32)
            return 0;
    return 1;
}

static const char *read_exponent(const char *text, char lower, int *exponent)
{
    if (*text != lower && *text != lower - 32)
        return text;
    const char *at = text + 1;
    _Bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (*at < '0' || *at > '9')
        return text;
    int value = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (value < 3000)
            value = value * 10 + (*at - '0');
    *exponent += negative ? -value : value;
    return at;
}

static void read_digits(struct decimal *number, const char *text, unsigned int base)
{
    _Bool fraction = 0;
    for (;; text++) {
        if (*text == '.' && !fraction) {
            fraction = 1;
            if (number->end != NULL)
                number->end = text + 1;
            continue;
        }
        unsigned int digit = digit_value(*text);
        if (digit >= base)
            break;
        if (number->digits < 100000000000000000ULL) {
            number->digits = number->digits * base + digit;
            number->exponent -= fraction;
        } else {
            number->exact &= digit == 0;
            number->exponent += !fraction;
        }
        number->end = text + 1;
    }
}

static struct decimal read_decimal(const char *text)
{
    struct decimal number = {0, 0, NULL, 0, 1, 0};
    while (is_space(*text))
        text++;
    if (*text == '-' || *text == '+') {
        number.negative = *text == '-';
        text++;
    }
    if (has_word(text, "inf")) {
        number.special = 'i';
        number.end = text + (has_word(text, "infinity") ? 8 : 3);
    } else if (has_word(text, "nan")) {
        number.special = 'n';
        number.end = text + 3;
        if (*number.end == '(') {
            const char *at = number.end + 1;
            while (digit_value(*at) < 36 || *at == '_')
                at++;
            if (*at == ')')
                number.end = at + 1;
        }
    } else if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
               (digit_value(text[2]) < 16 || (text[2] == '.' && digit_value(text[3]) < 16))) {
        number.special = 'x';
        read_digits(&number, text + 2, 16);
        number.exponent *= 4;
        number.end = read_exponent(number.end, 'p', &number.exponent);
    } else {
        read_digits(&number, text, 10);
        if (number.end != NULL)
            number.end = read_exponent(number.end, 'e', &number.exponent);
    }
    return number;
}

/* One reader per float type: `exact_digits` is 2^precision, and powers of ten to `exact_power` are exact. */
#define FLOAT_READER(name, type, nondet, precision, exact_power, source)                                  \
    static type name(const char *text, char **end)                                                        \
    {                                                                                                     \
        struct decimal number = read_decimal(text);                                                       \
        type value = 0;                                                                                   \
        if (end != NULL)                                                                                  \
            *end = (char *)(number.end != NULL ? number.end : text);                                      \
        if (number.end == NULL)                                                                           \
            return 0;                                                                                     \
        int base = number.special == 'x' ? 2 : 10;                                                        \
        int power = number.exponent < 0 ? -number.exponent : number.exponent;                             \
        _Bool small = (precision) >= 64 || number.digits >> ((precision) % 64) == 0;                      \
        if (number.special == 'i') {                                                                      \
            value = __builtin_inff();                                                                     \
        } else if (number.special == 'n') {                                                               \
            value = __builtin_nanf("");                                                                   \
        } else if (number.exact && number.digits == 0) {                                                  \
            value = 0;                                                                                    \
        } else if (number.exact && small && power <= (base == 2 ? 60 : (exact_power))) {                  \
            type factor = 1;                                                                              \
            for (int i = 0; i < power; i++)                                                               \
                factor *= base;                                                                           \
            value = number.exponent < 0 ? (type)number.digits / factor : (type)number.digits * factor;    \
        } else {                                                                                          \
            value = nondet(source);                                                                       \
            __kripke_assume(value >= 0);                                                                  \
            if (__kripke_nondet_bool(source))                                                             \
                errno = ERANGE_VALUE;                                                                     \
        }                                                                                                 \
        return number.negative ? -value : value;                                                          \
    }

#define EXACT_POWER(precision) ((precision) == 24 ? 10 : (precision) == 53 ? 22 : 27)

FLOAT_READER(read_float, float, __kripke_nondet_float, __FLT_MANT_DIG__, EXACT_POWER(__FLT_MANT_DIG__),
             "strtof")
FLOAT_READER(read_double, double, __kripke_nondet_double, __DBL_MANT_DIG__, EXACT_POWER(__DBL_MANT_DIG__),
             "strtod")

FLOAT_READER(read_long_double, long double, __kripke_nondet_ldouble, __LDBL_MANT_DIG__,
             EXACT_POWER(__LDBL_MANT_DIG__), "strtold")

float strtof(const char *text, char **end)
{
    return read_float(text, end);
}

double strtod(const char *text, char **end)
{
    return read_double(text, end);
}

long double strtold(const char *text, char **end)
{
    return read_long_double(text, end);
}

double atof(const char *text)
{
    return read_double(text, NULL);
}

/* The C libraries of microcontrollers: numbers to text in any base, with a sign only in base 10. */
static char *digits_of(unsigned long value, _Bool negative, char *text, int base)
{
    char *to = text;
    if (base < 2 || base > 36) {
        *text = '\0';
        return text;
    }
    size_t digits = 0;
    if (negative)
        *to++ = '-';
    do {
        unsigned long digit = value % (unsigned long)base;
        to[digits++] = (char)(digit < 10 ? '0' + digit : 'a' + (digit - 10));
        value /= (unsigned long)base;
    } while (value != 0);
    to[digits] = '\0';
    for (size_t i = 0; i < digits / 2; i++) {
        char kept = to[i];
        to[i] = to[digits - 1 - i];
        to[digits - 1 - i] = kept;
    }
    return text;
}

char *utoa(unsigned int value, char *text, int base)
{
    return digits_of(value, 0, text, base);
}

char *ultoa(unsigned long value, char *text, int base)
{
    return digits_of(value, 0, text, base);
}

char *itoa(int value, char *text, int base)
{
    if (base == 10 && value < 0)
        return digits_of(0u - (unsigned int)value, 1, text, base);
    return digits_of((unsigned int)value, 0, text, base);
}

char *ltoa(long value, char *text, int base)
{
    if (base == 10 && value < 0)
        return digits_of(0ul - (unsigned long)value, 1, text, base);
    return digits_of((unsigned long)value, 0, text, base);
}
