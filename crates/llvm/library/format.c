/* sprintf and its relatives. Exact for d i u o x X c s n and %%, with every flag, width, precision and
 * length modifier; floats (a e f g) and pointers become between 1 and 24 unspecified characters (or as
 * many as the width or precision asks for), and the returned count varies with them.
 *
 * The arguments are walked while the format is, which is concrete in practice; so symbolic execution
 * meets one loop per number, over its digits. */

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
    while (count > 0)
        put(target, digits[--count]);
    if (how.left)
        pad(target, ' ', blanks);
}

static void put_unsigned(struct text_target *target, struct conversion how, const char *prefix,
                         unsigned long long value, unsigned int base, char ten)
{
    char digits[64];
    int count = 0;
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
    if (text == NULL)
        text = how.precision >= 0 && how.precision < 6 ? "" : "(null)";
    while ((how.precision < 0 || count < how.precision) && text[count] != '\0')
        count++;
    if (!how.left)
        pad(target, ' ', how.width - count);
    for (int i = 0; i < count; i++)
        put(target, text[i]);
    if (how.left)
        pad(target, ' ', how.width - count);
}

static void put_unspecified(struct text_target *target, struct conversion how, const char *source)
{
    int count = __kripke_nondet_int(source);
    __kripke_assume(count >= 1 && count <= 24);
    if (count < how.width)
        count = how.width;
    if (how.precision > 0 && count < how.precision)
        count = how.precision;
    for (; count > 0; count--) {
        char c = __kripke_nondet_char(source);
        __kripke_assume(c >= ' ' && c <= '~');
        put(target, c);
    }
}

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
        char text = (char)va_arg(arguments->list, int);
        if (!how.left)
            pad(target, ' ', how.width - 1);
        put(target, text);
        if (how.left)
            pad(target, ' ', how.width - 1);
        break;
    }
    case 's':
        put_text(target, how, va_arg(arguments->list, const char *));
        break;
    case 'p':
        (void)va_arg(arguments->list, void *);
        put_unspecified(target, how, source);
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
            (void)va_arg(arguments->list, long double);
        else
            (void)va_arg(arguments->list, double);
        put_unspecified(target, how, source);
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

int vsnprintf(char *text, size_t size, const char *format, va_list list)
{
    struct argument_list arguments;
    va_copy(arguments.list, list);
    int result = format_text(text, size, format, &arguments, "vsnprintf");
    va_end(arguments.list);
    return result;
}

int vsprintf(char *text, const char *format, va_list list)
{
    struct argument_list arguments;
    va_copy(arguments.list, list);
    int result = format_text(text, (size_t)-1, format, &arguments, "vsprintf");
    va_end(arguments.list);
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

int asprintf(char **text, const char *format, ...)
{
    struct argument_list arguments, again;
    va_start(arguments.list, format);
    va_copy(again.list, arguments.list);
    int length = format_text(NULL, 0, format, &again, "asprintf");
    va_end(again.list);
    *text = malloc((size_t)length + 1);
    if (*text == NULL)
        length = -1;
    else
        format_text(*text, (size_t)length + 1, format, &arguments, "asprintf");
    va_end(arguments.list);
    return length;
}
