/* The tables behind the macros of glibc's <ctype.h>, in the "C" locale, exact.
 *
 * Each covers -128 to 255; the functions return the address of a pointer to entry 0, so that an
 * argument outside that range is an access outside the table. */

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BIT(n) (1 << (n))
#else
#define BIT(n) ((n) < 8 ? 1u << ((n) % 8 + 8) : 1u << ((n) % 8))
#endif

#define UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define HEX(c) (DIGIT(c) || ((c) >= 'A' && (c) <= 'F') || ((c) >= 'a' && (c) <= 'f'))
#define SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define PRINT(c) ((c) >= 32 && (c) <= 126)
#define GRAPH(c) ((c) >= 33 && (c) <= 126)
#define BLANK(c) ((c) == ' ' || (c) == '\t')
#define CONTROL(c) (((c) >= 0 && (c) <= 31) || (c) == 127)
#define ALPHA(c) (UPPER(c) || LOWER(c))
#define ALNUM(c) (ALPHA(c) || DIGIT(c))
#define PUNCT(c) (GRAPH(c) && !ALNUM(c))

#define CLASSES(c)                                                                                        \
    ((UPPER(c) ? BIT(0) : 0) | (LOWER(c) ? BIT(1) : 0) | (ALPHA(c) ? BIT(2) : 0) |                        \
     (DIGIT(c) ? BIT(3) : 0) | (HEX(c) ? BIT(4) : 0) | (SPACE(c) ? BIT(5) : 0) |                          \
     (PRINT(c) ? BIT(6) : 0) | (GRAPH(c) ? BIT(7) : 0) | (BLANK(c) ? BIT(8) : 0) |                        \
     (CONTROL(c) ? BIT(9) : 0) | (PUNCT(c) ? BIT(10) : 0) | (ALNUM(c) ? BIT(11) : 0))

#define NO_CLASS(c) 0
#define LOWERED(c) (UPPER(c) ? (c) + 32 : (c))
#define RAISED(c) (LOWER(c) ? (c) - 32 : (c))
#define WRAPPED(c) ((c) == 255 ? -1 : (c))

#define ROW4(entry, c) entry(c), entry((c) + 1), entry((c) + 2), entry((c) + 3)
#define ROW16(entry, c) ROW4(entry, c), ROW4(entry, (c) + 4), ROW4(entry, (c) + 8), ROW4(entry, (c) + 12)
#define ROW64(entry, c) \
    ROW16(entry, c), ROW16(entry, (c) + 16), ROW16(entry, (c) + 32), ROW16(entry, (c) + 48)
#define ROW128(entry, c) ROW64(entry, c), ROW64(entry, (c) + 64)

static const uint16_t class_table[384] = {ROW128(NO_CLASS, 0), ROW128(CLASSES, 0), ROW128(NO_CLASS, 0)};
static const int32_t lower_table[384] = {ROW128(WRAPPED, 128), ROW128(LOWERED, 0), ROW128(LOWERED, 128)};
static const int32_t upper_table[384] = {ROW128(WRAPPED, 128), ROW128(RAISED, 0), ROW128(RAISED, 128)};

const uint16_t **__ctype_b_loc(void)
{
    static const uint16_t *table = class_table + 128;
    return &table;
}

const int32_t **__ctype_tolower_loc(void)
{
    static const int32_t *table = lower_table + 128;
    return &table;
}

const int32_t **__ctype_toupper_loc(void)
{
    static const int32_t *table = upper_table + 128;
    return &table;
}
