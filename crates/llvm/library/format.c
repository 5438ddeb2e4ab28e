/* printf and its relatives. Exact for d i u o x X c s n and %%, with every flag, width, precision and
 * length modifier. Floats (a e f g) and pointers become unspecified characters, of which there are as many
 * as the format, the sign and the magnitude allow (format_real.c).
 *
 * The arguments are walked while the format is, which is concrete in practice. Where nothing is stored
 * (vprintf, snprintf with size 0) characters are only counted, without a loop over digits or padding, so
 * that a log function costs nothing; strings are read to their end all the same. */

struct text_target {
    char *text;
    size_t size;
    size_t length; /* what would have been written without the limit */
};

static void put(struct text_target *target, char c)
{
    if (target->length < target->size)
        target->text[target->length] = c;
    target->length++;
}

static void pad(struct text_target *target, char c, int count)
{
    if (target->size == 0) {
        target->length += count > 0 ? (size_t)count : 0;
        return;
    }
    for (; count > 0; count--)
        put(target, c);
}

struct conversion {
    _Bool left, plus, space, alternate, zero;
    int width, precision; /* precision is -1 when none is given */
    int length;           /* 1 h, 2 hh, 3 l, 4 ll, 5 z, 6 t, 7 j, 8 L */
};

/* Sign or prefix, then digits, in the field. `digits` holds them in reverse order. */
static void put_number(struct text_target *target, struct conversion how, const char *prefix,
                       const char *digits, int count)
{
    int prefix_length = 0;
    while (prefix[prefix_length] != '\0')
        prefix_length++;
    int zeros = how.precision > count ? how.precision - count : 0;
    int blanks = how.width - prefix_length - zeros - count;
    if (how.zero && !how.left && how.precision < 0 && blanks > 0) {
        zeros += blanks;
        blanks = 0;
    }
    if (!how.left)
        pad(target, ' ', blanks);
    for (int i = 0; i < prefix_length; i++)
        put(target, prefix[i]);
    pad(target, '0', zeros);
    if (target->size == 0)
        target->length += (size_t)count;
    else
        while (count > 0)
            put(target, digits[--count]);
    if (how.left)
        pad(target, ' ', blanks);
}

/* How many digits a value has in a base; zero has none. */
static int count_digits(unsigned long long value, unsigned int base)
{
    int count = value != 0;
    for (unsigned long long power = base;; power *= base) {
        count += value >= power;
        if (power > (unsigned long long)-1 / base)
            return count;
    }
}

static void count_unsigned(struct text_target *target, struct conversion how, const char *prefix,
                           unsigned long long value, unsigned int base)
{
    int count = count_digits(value, base);
    if (count == 0 && how.precision != 0)
        count = 1;
    if (base == 8 && how.alternate && (count == 0 || value != 0) && how.precision <= count)
        count++;
    put_number(target, how, prefix, NULL, count);
}

static void put_unsigned(struct text_target *target, struct conversion how, const char *prefix,
                         unsigned long long value, unsigned int base, char ten)
{
    char digits[64];
    int count = 0;
    if (target->size == 0) {
        count_unsigned(target, how, prefix, value, base);
        return;
    }
    if (value <= 0xffffffffu) {
        for (uint32_t narrow = (uint32_t)value; narrow != 0; narrow /= base) {
            unsigned int digit = (unsigned int)(narrow % base);
            digits[count++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
        }
    } else {
        for (; value != 0; value /= base) {
            unsigned int digit = (unsigned int)(value % base);
            digits[count++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
        }
    }
    if (count == 0 && how.precision != 0)
        digits[count++] = '0';
    if (base == 8 && how.alternate && (count == 0 || digits[count - 1] != '0') && how.precision <= count)
        digits[count++] = '0';
    put_number(target, how, prefix, digits, count);
}

static void put_text(struct text_target *target, struct conversion how, const char *text)
{
    int count = 0;
    __kripke_assert(text != NULL, "printf: the argument of %s is null");
    while ((how.precision < 0 || count < how.precision) && text[count] != '\0')
        count++;
    if (!how.left)
        pad(target, ' ', how.width - count);
    if (target->size == 0)
        target->length += (size_t)count;
    else
        for (int i = 0; i < count; i++)
            put(target, text[i]);
    if (how.left)
        pad(target, ' ', how.width - count);
}

static int any_count_between(int least, int most, const char *source)
{
    if (most <= least)
        return least;
    int count = __kripke_nondet_int(source);
    return (count >= least) & (count <= most) ? count : least;
}

/* A sign, where there is one, and that many unspecified characters, in the field. */
static void put_unspecified(struct text_target *target, struct conversion how, const char *sign, int count,
                            const char *source)
{
    int blanks = how.width - count - (*sign != '\0');
    char filler = how.zero && !how.left ? '0' : ' ';
    if (!how.left && filler == ' ')
        pad(target, ' ', blanks);
    if (*sign != '\0')
        put(target, *sign);
    if (!how.left && filler == '0')
        pad(target, '0', blanks);
    if (target->size == 0)
        target->length += (size_t)count;
    else
        for (int i = 0; i < count; i++) {
            char c = __kripke_nondet_char(source);
            __kripke_assume(c > ' ' && c <= '~');
            put(target, c);
        }
    if (how.left)
        pad(target, ' ', blanks);
}

/* C leaves the text to the implementation. The front end lists this bound where a literal format has %p,
 * the functions with a va_list do so themselves. */
#define LONGEST_POINTER ((int)(2 * sizeof(void *)) + 4)

static void put_pointer(struct text_target *target, struct conversion how, const char *source)
{
    put_unspecified(target, how, "", any_count_between(1, LONGEST_POINTER, source), source);
}

/* In format_real.c. */
static void put_real(struct text_target *target, struct conversion how, char kind, double value,
                     const char *source);
static void put_long_real(struct text_target *target, struct conversion how, char kind, long double value,
                          const char *source);

static int read_count(const char **format)
{
    int value = 0;
    for (; **format >= '0' && **format <= '9'; (*format)++)
        value = value * 10 + (**format - '0');
    return value;
}

static int read_length(const char **format)
{
    switch (**format) {
    case 'h':
        (*format)++;
        if (**format != 'h')
            return 1;
        (*format)++;
        return 2;
    case 'l':
        (*format)++;
        if (**format != 'l')
            return 3;
        (*format)++;
        return 4;
    case 'q':
        (*format)++;
        return 4;
    case 'z':
        (*format)++;
        return 5;
    case 't':
        (*format)++;
        return 6;
    case 'j':
        (*format)++;
        return 7;
    case 'L':
        (*format)++;
        return 8;
    default:
        return 0;
    }
}

static void put_flags(struct conversion *how, const char **format)
{
    for (;; (*format)++) {
        switch (**format) {
        case '-':
            how->left = 1;
            break;
        case '+':
            how->plus = 1;
            break;
        case ' ':
            how->space = 1;
            break;
        case '#':
            how->alternate = 1;
            break;
        case '0':
            how->zero = 1;
            break;
        default:
            return;
        }
    }
}

/* va_list may be an array type, so it travels inside a struct. */
struct argument_list {
    va_list list;
};

static long long signed_argument(struct argument_list *arguments, int length)
{
    switch (length) {
    case 1:
        return (short)va_arg(arguments->list, int);
    case 2:
        return (signed char)va_arg(arguments->list, int);
    case 3:
        return va_arg(arguments->list, long);
    case 4:
        return va_arg(arguments->list, long long);
    case 5:
    case 6:
        return va_arg(arguments->list, ptrdiff_t);
    case 7:
        return va_arg(arguments->list, intmax_t);
    default:
        return va_arg(arguments->list, int);
    }
}

static unsigned long long unsigned_argument(struct argument_list *arguments, int length)
{
    switch (length) {
    case 1:
        return (unsigned short)va_arg(arguments->list, unsigned int);
    case 2:
        return (unsigned char)va_arg(arguments->list, unsigned int);
    case 3:
        return va_arg(arguments->list, unsigned long);
    case 4:
        return va_arg(arguments->list, unsigned long long);
    case 5:
    case 6:
        return va_arg(arguments->list, size_t);
    case 7:
        return va_arg(arguments->list, uintmax_t);
    default:
        return va_arg(arguments->list, unsigned int);
    }
}

static void store_length(struct argument_list *arguments, int length, size_t written)
{
    switch (length) {
    case 1:
        *va_arg(arguments->list, short *) = (short)written;
        break;
    case 2:
        *va_arg(arguments->list, signed char *) = (signed char)written;
        break;
    case 3:
        *va_arg(arguments->list, long *) = (long)written;
        break;
    case 4:
        *va_arg(arguments->list, long long *) = (long long)written;
        break;
    case 5:
    case 6:
        *va_arg(arguments->list, ptrdiff_t *) = (ptrdiff_t)written;
        break;
    case 7:
        *va_arg(arguments->list, intmax_t *) = (intmax_t)written;
        break;
    default:
        *va_arg(arguments->list, int *) = (int)written;
    }
}

static void put_conversion(struct text_target *target, struct conversion how, char kind,
                           struct argument_list *arguments, const char *source)
{
    switch (kind) {
    case 'd':
    case 'i': {
        long long value = signed_argument(arguments, how.length);
        const char *sign = value < 0 ? "-" : how.plus ? "+" : how.space ? " " : "";
        put_unsigned(target, how, sign,
                     value < 0 ? -(unsigned long long)value : (unsigned long long)value, 10, 'a');
        break;
    }
    case 'u':
        put_unsigned(target, how, "", unsigned_argument(arguments, how.length), 10, 'a');
        break;
    case 'o':
        put_unsigned(target, how, "", unsigned_argument(arguments, how.length), 8, 'a');
        break;
    case 'x':
    case 'X': {
        unsigned long long value = unsigned_argument(arguments, how.length);
        const char *prefix = !how.alternate || value == 0 ? "" : kind == 'x' ? "0x" : "0X";
        put_unsigned(target, how, prefix, value, 16, kind == 'x' ? 'a' : 'A');
        break;
    }
    case 'c': {
        if (how.length == 3)
            __kripke_unsupported("printf of a wide character");
        char text = (char)va_arg(arguments->list, int);
        if (!how.left)
            pad(target, ' ', how.width - 1);
        put(target, text);
        if (how.left)
            pad(target, ' ', how.width - 1);
        break;
    }
    case 's':
        if (how.length == 3)
            __kripke_unsupported("printf of a wide string");
        put_text(target, how, va_arg(arguments->list, const char *));
        break;
    case 'p':
        (void)va_arg(arguments->list, void *);
        put_pointer(target, how, source);
        break;
    case 'n':
        store_length(arguments, how.length, target->length);
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        if (how.length == 8)
            put_long_real(target, how, kind, va_arg(arguments->list, long double), source);
        else
            put_real(target, how, kind, va_arg(arguments->list, double), source);
        break;
    case '%':
        put(target, '%');
        break;
    default:
        __kripke_assert(0, "printf: the format has an unknown conversion");
    }
}

static int format_text(char *text, size_t size, const char *format, struct argument_list *arguments,
                       const char *source)
{
    struct text_target target = {text, size == 0 ? 0 : size - 1, 0};
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            put(&target, *format);
            continue;
        }
        format++;
        struct conversion how = {0, 0, 0, 0, 0, 0, -1, 0};
        put_flags(&how, &format);
        if (*format == '*') {
            how.width = va_arg(arguments->list, int);
            if (how.width < 0) {
                how.left = 1;
                how.width = -how.width;
            }
            format++;
        } else {
            how.width = read_count(&format);
        }
        if (*format == '.') {
            format++;
            if (*format == '*') {
                how.precision = va_arg(arguments->list, int);
                format++;
            } else {
                how.precision = read_count(&format);
            }
        }
        how.length = read_length(&format);
        if (*format == '\0')
            break;
        put_conversion(&target, how, *format, arguments, source);
    }
    if (size != 0)
        text[target.length < size ? target.length : size - 1] = '\0';
    return (int)target.length;
}

#define WITH_ARGUMENTS(result, text, size, source)                                                        \
    struct argument_list arguments;                                                                       \
    va_start(arguments.list, format);                                                                     \
    int result = format_text(text, size, format, &arguments, source);                                     \
    va_end(arguments.list)

#define WITH_LIST(result, text, size, source)                                                             \
    __kripke_rely(1, "%p writes at most four characters and two for each byte of a pointer");             \
    struct argument_list arguments;                                                                       \
    va_copy(arguments.list, list);                                                                        \
    int result = format_text(text, size, format, &arguments, source);                                     \
    va_end(arguments.list)

int vsnprintf(char *text, size_t size, const char *format, va_list list)
{
    WITH_LIST(result, text, size, "vsnprintf");
    return result;
}

int vsprintf(char *text, const char *format, va_list list)
{
    WITH_LIST(result, text, (size_t)-1, "vsprintf");
    return result;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(result, text, size, "snprintf");
    return result;
}

int sprintf(char *text, const char *format, ...)
{
    WITH_ARGUMENTS(result, text, (size_t)-1, "sprintf");
    return result;
}

static int format_new_text(char **text, const char *format, struct argument_list *arguments,
    const char *source)
{
    struct argument_list again;
    va_copy(again.list, arguments->list);
    int length = format_text(NULL, 0, format, &again, source);
    va_end(again.list);
    *text = malloc((size_t)length + 1);
    if (*text == NULL)
        return -1;
    /* An unspecified number is as long as the first time. */
    __kripke_assume(format_text(*text, (size_t)length + 1, format, arguments, source) == length);
    return length;
}

int asprintf(char **text, const char *format, ...)
{
    struct argument_list arguments;
    va_start(arguments.list, format);
    int length = format_new_text(text, format, &arguments, "asprintf");
    va_end(arguments.list);
    return length;
}

int vasprintf(char **text, const char *format, va_list list)
{
    struct argument_list arguments;
    va_copy(arguments.list, list);
    int length = format_new_text(text, format, &arguments, "vasprintf");
    va_end(arguments.list);
    return length;
}

/* The count, or a negative number where the stream fails. */
static int printed(int length, const char *source)
{
    int failure = __kripke_nondet_int(source);
    return failure < 0 ? failure : length;
}

int vprintf(const char *format, va_list list)
{
    WITH_LIST(result, NULL, 0, "vprintf");
    return printed(result, "vprintf");
}

int vfprintf(int *stream, const char *format, va_list list)
{
    READ(*stream);
    WITH_LIST(result, NULL, 0, "vfprintf");
    return printed(result, "vfprintf");
}

int vdprintf(int descriptor, const char *format, va_list list)
{
    (void)descriptor;
    WITH_LIST(result, NULL, 0, "vdprintf");
    return printed(result, "vdprintf");
}

int dprintf(int descriptor, const char *format, ...)
{
    (void)descriptor;
    WITH_ARGUMENTS(result, NULL, 0, "dprintf");
    return printed(result, "dprintf");
}

/* What printf does where its format is not a literal, or has %n. */
int __kripke_printed(const char *format, ...)
{
    __kripke_rely(1, "%p writes at most four characters and two for each byte of a pointer");
    WITH_ARGUMENTS(result, NULL, 0, "printf");
    return printed(result, "printf");
}
