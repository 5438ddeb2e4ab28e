/* scanf and its relatives.
 *
 * From a stream the input is unknown: the number of conversions that succeed is any from EOF to all of
 * them, and each assigned object gets any value that the conversion can produce. From a string (sscanf)
 * integers, characters, strings, sets and literal text are read exactly; a float is read to its exact
 * extent and gets any value, and so does an integer that does not fit its object (C11 7.21.6.2: undefined;
 * libraries differ). */

struct scan_arguments {
    va_list list;
    _Bool binary; /* C23: %i reads numbers such as 0b101 */
};

struct scan_directive {
    _Bool suppressed;
    int width;  /* 0: none */
    int length; /* 1 h, 2 hh, 3 l, 4 ll, 5 z, 6 t, 7 j, 8 L */
    char kind;
    const char *set; /* of %[ : after the bracket */
};

static _Bool is_white(int c)
{
    return (c == ' ') | ((c >= '\t') & (c <= '\r'));
}

static int scan_length(const char **format)
{
    char c = **format;
    if (c != 'h' && c != 'l' && c != 'q' && c != 'z' && c != 't' && c != 'j' && c != 'L')
        return 0;
    (*format)++;
    if ((c == 'h' || c == 'l') && **format == c) {
        (*format)++;
        return c == 'h' ? 2 : 4;
    }
    return c == 'h' ? 1 : c == 'l' ? 3 : c == 'q' ? 4 : c == 'z' ? 5 : c == 't' ? 6 : c == 'j' ? 7 : 8;
}

/* Reads a directive after its percent sign, and steps over it. */
static struct scan_directive read_directive(const char **format)
{
    struct scan_directive directive = {0, 0, 0, 0, NULL};
    if (**format == '*') {
        directive.suppressed = 1;
        (*format)++;
    }
    for (; **format >= '0' && **format <= '9'; (*format)++)
        directive.width = directive.width * 10 + (**format - '0');
    directive.length = scan_length(format);
    directive.kind = **format;
    if (directive.kind == '\0')
        return directive;
    (*format)++;
    if (directive.kind == '[') {
        directive.set = *format;
        if (**format == '^')
            (*format)++;
        if (**format == ']')
            (*format)++;
        while (**format != ']' && **format != '\0')
            (*format)++;
        if (**format == ']')
            (*format)++;
    }
    return directive;
}

/* Whether %[ accepts the character. */
static _Bool in_set(const char *set, int c)
{
    _Bool negated = *set == '^', found = 0;
    if (negated)
        set++;
    const char *first = set;
    for (; *set != '\0' && (*set != ']' || set == first); set++) {
        if (set[1] == '-' && set[2] != ']' && set[2] != '\0') {
            found |= (c >= (unsigned char)set[0]) & (c <= (unsigned char)set[2]);
            set += 2;
        } else {
            found |= c == (unsigned char)*set;
        }
    }
    return found != negated;
}

static void store_integer(struct scan_arguments *arguments, int length, unsigned long long value)
{
    switch (length) {
    case 1:
        *va_arg(arguments->list, short *) = (short)value;
        break;
    case 2:
        *va_arg(arguments->list, signed char *) = (signed char)value;
        break;
    case 3:
        *va_arg(arguments->list, long *) = (long)value;
        break;
    case 4:
        *va_arg(arguments->list, long long *) = (long long)value;
        break;
    case 5:
    case 6:
        *va_arg(arguments->list, ptrdiff_t *) = (ptrdiff_t)value;
        break;
    case 7:
        *va_arg(arguments->list, intmax_t *) = (intmax_t)value;
        break;
    default:
        *va_arg(arguments->list, int *) = (int)value;
    }
}

static void store_any_integer(struct scan_arguments *arguments, int length, const char *source)
{
    switch (length) {
    case 1:
        *va_arg(arguments->list, short *) = __kripke_nondet_short(source);
        break;
    case 2:
        *va_arg(arguments->list, signed char *) = __kripke_nondet_schar(source);
        break;
    case 3:
        *va_arg(arguments->list, long *) = __kripke_nondet_long(source);
        break;
    case 4:
        *va_arg(arguments->list, long long *) = __kripke_nondet_llong(source);
        break;
    case 5:
    case 6:
        *va_arg(arguments->list, size_t *) = __kripke_nondet_size(source);
        break;
    case 7:
        *va_arg(arguments->list, uintmax_t *) = (uintmax_t)__kripke_nondet_ullong(source);
        break;
    default:
        *va_arg(arguments->list, int *) = __kripke_nondet_int(source);
    }
}

static void store_any_float(struct scan_arguments *arguments, int length, const char *source)
{
    if (length == 8)
        *va_arg(arguments->list, long double *) = __kripke_nondet_ldouble(source);
    else if (length == 3)
        *va_arg(arguments->list, double *) = __kripke_nondet_double(source);
    else
        *va_arg(arguments->list, float *) = __kripke_nondet_float(source);
}

/* A word or set of unknown characters: at least one, at most the width. Without a width it is as long as
 * the program cannot exclude, which is how an overflow of the target shows. */
static void store_any_text(struct scan_arguments *arguments, struct scan_directive directive,
                           const char *source)
{
    char *text = va_arg(arguments->list, char *);
    size_t length = 0;
    do {
        unsigned char c = __kripke_nondet_uchar(source);
        __kripke_assume(directive.kind == 's' ? c != '\0' && !is_white(c) : in_set(directive.set, c));
        text[length++] = (char)c;
    } while ((directive.width == 0 || length < (size_t)directive.width) && __kripke_nondet_bool(source));
    text[length] = '\0';
}

static int scan_stream(const char *format, struct scan_arguments *arguments, const char *source)
{
    int succeeding = __kripke_nondet_int(source);
    int stored = 0;
    __kripke_assume(succeeding >= EOF);
    while (*format != '\0') {
        if (*format++ != '%')
            continue;
        if (*format == '%') {
            format++;
            continue;
        }
        struct scan_directive directive = read_directive(&format);
        if (directive.suppressed)
            continue;
        if (stored >= succeeding)
            return succeeding;
        switch (directive.kind) {
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            store_any_integer(arguments, directive.length, source);
            break;
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G':
            store_any_float(arguments, directive.length, source);
            break;
        case 'c':
            __kripke_havoc(va_arg(arguments->list, char *),
                           directive.width == 0 ? 1 : (size_t)directive.width, source);
            break;
        case 's':
        case '[':
            store_any_text(arguments, directive, source);
            break;
        case 'p':
            *va_arg(arguments->list, void **) = (void *)__kripke_nondet_size(source);
            break;
        case 'n':
            store_any_integer(arguments, directive.length, source);
            continue;
        default:
            __kripke_assert(0, "scanf: the format has an unknown conversion");
        }
        stored++;
    }
    __kripke_assume(succeeding == stored || (stored == 0 && succeeding <= 0));
    return succeeding;
}

static unsigned int scan_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned int)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned int)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned int)(c - 'A') + 10;
    return 99;
}

/* An integer in a text. */
struct scan_number {
    unsigned long long magnitude;
    _Bool negative;
    _Bool too_wide; /* for any type */
};

/* The base that the prefix of a number says; 0 where there is none. */
static unsigned int scan_prefix(const char *text, size_t limit, unsigned int base, _Bool binary)
{
    if (limit < 2 || text[0] != '0')
        return 0;
    char letter = (char)(text[1] | 32);
    if (letter == 'x' && (base == 0 || base == 16))
        return 16;
    return letter == 'b' && base == 0 && binary ? 2 : 0;
}

/* Reads an integer as strtol or strtoul would; returns its extent, 0 when there is none. */
static size_t scan_integer(const char *text, size_t limit, unsigned int base, _Bool binary,
                           struct scan_number *number)
{
    size_t at = 0, digits = 0;
    if (at < limit && (text[at] == '-' || text[at] == '+'))
        number->negative = text[at++] == '-';
    unsigned int prefixed = scan_prefix(text + at, limit - at, base, binary);
    if (prefixed != 0) {
        at += 2;
        base = prefixed;
        /* Whether the zero of a prefix that no digit follows counts differs between libraries. */
        digits = at < limit && scan_digit(text[at]) < base ? 0 : __kripke_nondet_bool("sscanf");
    } else if (base == 0) {
        base = at < limit && text[at] == '0' ? 8 : 10;
    }
    while (at < limit && scan_digit(text[at]) < base) {
        unsigned long long digit = scan_digit(text[at]);
        number->too_wide |= number->magnitude > (~0ull - digit) / base;
        number->magnitude = number->magnitude * base + digit;
        at++;
        digits++;
    }
    return digits == 0 ? 0 : at;
}

/* The bits of an object that a length modifier stands for. */
static unsigned int scan_width(int length)
{
    size_t bytes = length == 1   ? sizeof(short)
                   : length == 2 ? sizeof(char)
                   : length == 3 ? sizeof(long)
                   : length == 4 ? sizeof(long long)
                   : length == 7 ? sizeof(intmax_t)
                   : length != 0 ? sizeof(size_t)
                                 : sizeof(int);
    return (unsigned int)bytes * 8;
}

/* Whether an object of that many bits has the value. */
static _Bool scan_fits(const struct scan_number *number, _Bool is_signed, unsigned int bits)
{
    unsigned long long greatest = ~0ull >> (64 - bits);
    if (is_signed)
        greatest = (greatest >> 1) + number->negative;
    return !number->too_wide && number->magnitude <= greatest;
}

/* The value as strtoul gives it. */
static unsigned long long scan_value(const struct scan_number *number)
{
    return number->negative ? -number->magnitude : number->magnitude;
}

static void store_number(struct scan_arguments *arguments, struct scan_directive directive,
                         const struct scan_number *number, const char *source)
{
    _Bool is_signed = directive.kind == 'd' || directive.kind == 'i';
    if (scan_fits(number, is_signed, scan_width(directive.length)))
        store_integer(arguments, directive.length, scan_value(number));
    else
        store_any_integer(arguments, directive.length, source);
}

/* The extent of a decimal float; 0 when there is none. */
static size_t scan_float(const char *text, size_t limit)
{
    size_t at = 0, digits = 0;
    if (at < limit && (text[at] == '-' || text[at] == '+'))
        at++;
    for (; at < limit && text[at] >= '0' && text[at] <= '9'; at++)
        digits++;
    if (at < limit && text[at] == '.')
        at++;
    for (; at < limit && text[at] >= '0' && text[at] <= '9'; at++)
        digits++;
    if (digits == 0)
        return 0;
    if (at < limit && (text[at] == 'e' || text[at] == 'E')) {
        size_t exponent = at + 1;
        if (exponent < limit && (text[exponent] == '-' || text[exponent] == '+'))
            exponent++;
        if (exponent < limit && text[exponent] >= '0' && text[exponent] <= '9')
            for (at = exponent; at < limit && text[at] >= '0' && text[at] <= '9';)
                at++;
    }
    return at;
}

/* The extent of what %c, %s or %[ accepts. */
static size_t scan_text_extent(const char *text, size_t limit, struct scan_directive directive)
{
    size_t extent = 0;
    while (extent < limit) {
        int c = (unsigned char)text[extent];
        if (directive.kind == 's' ? is_white(c) : directive.kind == '[' ? !in_set(directive.set, c) : 0)
            break;
        extent++;
    }
    return extent;
}

static int scan_text(const char *text, const char *format, struct scan_arguments *arguments,
                     const char *source)
{
    const char *start = text;
    int stored = 0;
    while (*format != '\0') {
        if (is_white((unsigned char)*format)) {
            while (is_white((unsigned char)*text))
                text++;
            format++;
            continue;
        }
        _Bool literal = *format != '%' || format[1] == '%';
        if (literal) {
            if (*format == '%') {
                format++;
                while (is_white((unsigned char)*text))
                    text++;
            }
            if (*text != *format)
                return *text == '\0' && stored == 0 ? EOF : stored;
            text++;
            format++;
            continue;
        }
        format++;
        struct scan_directive directive = read_directive(&format);
        char kind = directive.kind;
        if (kind == 'n') {
            if (!directive.suppressed)
                store_integer(arguments, directive.length, (unsigned long long)(text - start));
            continue;
        }
        if (kind != 'c' && kind != '[')
            while (is_white((unsigned char)*text))
                text++;
        if (*text == '\0')
            return stored == 0 ? EOF : stored;
        size_t limit = 0;
        size_t maximum = directive.width != 0 ? (size_t)directive.width : kind == 'c' ? 1 : (size_t)-1;
        while (limit < maximum && text[limit] != '\0')
            limit++;
        size_t extent;
        struct scan_number number = {0, 0, 0};
        switch (kind) {
        case 'd':
        case 'u':
            extent = scan_integer(text, limit, 10, 0, &number);
            break;
        case 'i':
            extent = scan_integer(text, limit, 0, arguments->binary, &number);
            break;
        case 'o':
            extent = scan_integer(text, limit, 8, 0, &number);
            break;
        case 'x':
        case 'X':
        case 'p':
            extent = scan_integer(text, limit, 16, 0, &number);
            break;
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G':
            extent = scan_float(text, limit);
            break;
        case 'c':
            extent = limit; /* at the end of the text glibc takes fewer than asked for */
            break;
        case 's':
        case '[':
            extent = scan_text_extent(text, limit, directive);
            break;
        default:
            __kripke_assert(0, "sscanf: the format has an unknown conversion");
            return stored;
        }
        if (extent == 0)
            return stored;
        if (!directive.suppressed) {
            if (kind == 'c' || kind == 's' || kind == '[') {
                char *target = va_arg(arguments->list, char *);
                for (size_t i = 0; i < extent; i++)
                    target[i] = text[i];
                if (kind != 'c')
                    target[extent] = '\0';
            } else if (kind == 'p') {
                *va_arg(arguments->list, void **) = (void *)(size_t)scan_value(&number);
            } else if ((kind | 32) == 'a' || ((kind | 32) >= 'e' && (kind | 32) <= 'g')) {
                store_any_float(arguments, directive.length, source);
            } else {
                store_number(arguments, directive, &number, source);
            }
            stored++;
        }
        text += extent;
    }
    return stored;
}

#define SCAN(reader, source, c23)                                                                         \
    struct scan_arguments arguments;                                                                      \
    va_start(arguments.list, format);                                                                     \
    arguments.binary = c23;                                                                               \
    int result = reader;                                                                                  \
    va_end(arguments.list);                                                                               \
    return result

#define SCAN_LIST(reader, c23)                                                                            \
    struct scan_arguments arguments;                                                                      \
    va_copy(arguments.list, list);                                                                        \
    arguments.binary = c23;                                                                               \
    int result = reader;                                                                                  \
    va_end(arguments.list);                                                                               \
    return result

#define SCAN_FAMILY(prefix, c23)                                                                          \
    int prefix##scanf(const char *format, ...)                                                            \
    {                                                                                                     \
        SCAN(scan_stream(format, &arguments, "scanf"), "scanf", c23);                                     \
    }                                                                                                     \
    int prefix##fscanf(void *stream, const char *format, ...)                                             \
    {                                                                                                     \
        READ(*(int *)stream);                                                                             \
        SCAN(scan_stream(format, &arguments, "fscanf"), "fscanf", c23);                                   \
    }                                                                                                     \
    int prefix##sscanf(const char *text, const char *format, ...)                                         \
    {                                                                                                     \
        SCAN(scan_text(text, format, &arguments, "sscanf"), "sscanf", c23);                               \
    }                                                                                                     \
    int prefix##vscanf(const char *format, va_list list)                                                  \
    {                                                                                                     \
        SCAN_LIST(scan_stream(format, &arguments, "vscanf"), c23);                                        \
    }                                                                                                     \
    int prefix##vfscanf(void *stream, const char *format, va_list list)                                   \
    {                                                                                                     \
        READ(*(int *)stream);                                                                             \
        SCAN_LIST(scan_stream(format, &arguments, "vfscanf"), c23);                                       \
    }                                                                                                     \
    int prefix##vsscanf(const char *text, const char *format, va_list list)                               \
    {                                                                                                     \
        SCAN_LIST(scan_text(text, format, &arguments, "vsscanf"), c23);                                   \
    }

/* The second and third names are those that glibc's headers put in place of the first. */
SCAN_FAMILY(, 0)
SCAN_FAMILY(__isoc99_, 0)
SCAN_FAMILY(__isoc23_, 1)
