/* <string.h> and <strings.h>, exact but for what C leaves open: how large the result of a comparison is.
 *
 * Byte by byte, with an early exit and one branch per byte: what a reader would write first is also
 * what symbolic execution does best. memcpy, memmove and memset are primitives. */

/* Two ranges that a function may not get overlapping. */
static void require_disjoint(const void *to, const void *from, size_t size, const char *message)
{
    if (__kripke_same_object(to, from)) {
        size_t a = __kripke_pointer_offset(to);
        size_t b = __kripke_pointer_offset(from);
        __kripke_assert(a < b ? b - a >= size : a - b >= size, message);
    }
}

/* Whether there are so many bytes, for a function that may read all of them, whatever the first ones are.
 * Where there is no object, as behind a null pointer or in a device, reading tells. */
static int is_whole(const void *memory, size_t size)
{
    size_t all = __kripke_object_size(memory);
    return all == 0 || size <= all - __kripke_pointer_offset(memory);
}

static int lower_case(int character)
{
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
}

static int is_one_of(char character, const char *set)
{
    for (; *set != '\0'; set++)
        if (*set == character)
            return 1;
    return 0;
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    return length;
}

static size_t bounded_length_of(const char *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length] != '\0')
        length++;
    return length;
}

static int any_but_zero(const char *source)
{
    int result = __kripke_nondet_int(source);
    return result + (result == 0);
}

/* What a comparison of different texts returns: any number of the right sign, as C leaves it open. */
static int any_negative_or_positive(_Bool negative, const char *source)
{
    int size = __kripke_nondet_int(source) & __INT_MAX__;
    return (size + ((size == 0) & !negative)) | (-(int)negative & (-__INT_MAX__ - 1));
}

size_t strlen(const char *text)
{
    return length_of(text);
}

size_t strnlen(const char *text, size_t limit)
{
    return bounded_length_of(text, limit);
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;
    __kripke_assert(is_whole(left, size), "memcmp: the first object is shorter");
    __kripke_assert(is_whole(right, size), "memcmp: the second object is shorter");
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return any_negative_or_positive(a[i] < b[i], "memcmp");
    return 0;
}

int bcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;
    __kripke_assert(is_whole(left, size), "bcmp: the first object is shorter");
    __kripke_assert(is_whole(right, size), "bcmp: the second object is shorter");
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return any_but_zero("bcmp");
    return 0;
}

void *memchr(const void *memory, int value, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)value)
            return (void *)(bytes + i);
    return NULL;
}

void *memrchr(const void *memory, int value, size_t size)
{
    const unsigned char *bytes = memory;
    while (size > 0) {
        size--;
        if (bytes[size] == (unsigned char)value)
            return (void *)(bytes + size);
    }
    return NULL;
}

void *rawmemchr(const void *memory, int value)
{
    const unsigned char *bytes = memory;
    while (*bytes != (unsigned char)value)
        bytes++;
    return (void *)bytes;
}

void *memmem(const void *memory, size_t size, const void *pattern, size_t pattern_size)
{
    const unsigned char *bytes = memory, *wanted = pattern;
    __kripke_assert(is_whole(memory, size), "memmem: the object is shorter");
    __kripke_assert(is_whole(pattern, pattern_size), "memmem: what is looked for is shorter");
    for (size_t start = 0; start + pattern_size <= size; start++) {
        size_t i = 0;
        while (i < pattern_size && bytes[start + i] == wanted[i])
            i++;
        if (i == pattern_size)
            return (void *)(bytes + start);
    }
    return NULL;
}

void *memccpy(void *to, const void *from, int value, size_t size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < size; i++) {
        target[i] = source[i];
        if (source[i] == (unsigned char)value)
            return target + i + 1;
    }
    return NULL;
}

void *mempcpy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return (char *)to + size;
}

void bzero(void *memory, size_t size)
{
    memset(memory, 0, size);
}

void bcopy(const void *from, void *to, size_t size)
{
    memmove(to, from, size);
}

void explicit_bzero(void *memory, size_t size)
{
    memset(memory, 0, size);
}

void *memset_explicit(void *memory, int value, size_t size)
{
    return memset(memory, value, size);
}

/* The last byte of an odd number is not written, nor is anything where the number is negative. */
void swab(const void *from, void *to, ptrdiff_t size)
{
    const char *source = from;
    char *target = to;
    if (size > 1)
        require_disjoint(to, from, (size_t)size & ~(size_t)1, "swab: the objects overlap");
    for (ptrdiff_t i = 1; i < size; i += 2) {
        char first = source[i - 1];
        target[i - 1] = source[i];
        target[i] = first;
    }
}

int strcmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] == right[i]) {
        if (left[i] == '\0')
            return 0;
        i++;
    }
    return any_negative_or_positive((unsigned char)left[i] < (unsigned char)right[i], "strcmp");
}

int strcoll(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] == right[i]) {
        if (left[i] == '\0')
            return 0;
        i++;
    }
    return any_negative_or_positive((unsigned char)left[i] < (unsigned char)right[i], "strcoll");
}

int strncmp(const char *left, const char *right, size_t limit)
{
    for (size_t i = 0; i < limit; i++) {
        if (left[i] != right[i])
            return any_negative_or_positive((unsigned char)left[i] < (unsigned char)right[i], "strncmp");
        if (left[i] == '\0')
            return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    for (size_t i = 0;; i++) {
        int a = lower_case((unsigned char)left[i]), b = lower_case((unsigned char)right[i]);
        if (a != b)
            return any_negative_or_positive(a < b, "strcasecmp");
        if (a == 0)
            return 0;
    }
}

int strncasecmp(const char *left, const char *right, size_t limit)
{
    for (size_t i = 0; i < limit; i++) {
        int a = lower_case((unsigned char)left[i]), b = lower_case((unsigned char)right[i]);
        if (a != b)
            return any_negative_or_positive(a < b, "strncasecmp");
        if (a == 0)
            return 0;
    }
    return 0;
}

char *stpcpy(char *to, const char *from)
{
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        to[i] = from[i];
    to[i] = '\0';
    require_disjoint(to, from, i + 1, "stpcpy: source and target overlap");
    return to + i;
}

char *strcpy(char *to, const char *from)
{
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        to[i] = from[i];
    to[i] = '\0';
    require_disjoint(to, from, i + 1, "strcpy: source and target overlap");
    return to;
}

char *stpncpy(char *to, const char *from, size_t size)
{
    size_t length = 0;
    for (; length < size && from[length] != '\0'; length++)
        to[length] = from[length];
    require_disjoint(to, from, length, "stpncpy: source and target overlap");
    for (size_t i = length; i < size; i++)
        to[i] = '\0';
    return to + length;
}

char *strncpy(char *to, const char *from, size_t size)
{
    size_t length = 0;
    for (; length < size && from[length] != '\0'; length++)
        to[length] = from[length];
    require_disjoint(to, from, length, "strncpy: source and target overlap");
    for (size_t i = length; i < size; i++)
        to[i] = '\0';
    return to;
}

char *strcat(char *to, const char *from)
{
    size_t end = length_of(to);
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        to[end + i] = from[i];
    to[end + i] = '\0';
    require_disjoint(to + end, from, i + 1, "strcat: source and target overlap");
    return to;
}

char *strncat(char *to, const char *from, size_t limit)
{
    size_t end = length_of(to);
    size_t i = 0;
    for (; i < limit && from[i] != '\0'; i++)
        to[end + i] = from[i];
    to[end + i] = '\0';
    require_disjoint(to + end, from, i, "strncat: source and target overlap");
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        if (i + 1 < size)
            to[i] = from[i];
    if (size > 0)
        to[i < size ? i : size - 1] = '\0';
    return i;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t end = bounded_length_of(to, size);
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        if (end + i + 1 < size)
            to[end + i] = from[i];
    if (end < size)
        to[end + i < size ? end + i : size - 1] = '\0';
    return end + i;
}

char *strchr(const char *text, int character)
{
    for (;; text++) {
        if (*text == (char)character)
            return (char *)text;
        if (*text == '\0')
            return NULL;
    }
}

char *index(const char *text, int character)
{
    for (;; text++) {
        if (*text == (char)character)
            return (char *)text;
        if (*text == '\0')
            return NULL;
    }
}

char *strchrnul(const char *text, int character)
{
    while (*text != '\0' && *text != (char)character)
        text++;
    return (char *)text;
}

char *strrchr(const char *text, int character)
{
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)character)
            found = text;
        if (*text == '\0')
            return (char *)found;
    }
}

char *rindex(const char *text, int character)
{
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)character)
            found = text;
        if (*text == '\0')
            return (char *)found;
    }
}

char *strstr(const char *text, const char *pattern)
{
    for (;; text++) {
        size_t i = 0;
        while (pattern[i] != '\0' && text[i] == pattern[i])
            i++;
        if (pattern[i] == '\0')
            return (char *)text;
        if (text[i] == '\0')
            return NULL;
    }
}

char *strcasestr(const char *text, const char *pattern)
{
    for (;; text++) {
        size_t i = 0;
        while (pattern[i] != '\0' &&
               lower_case((unsigned char)text[i]) == lower_case((unsigned char)pattern[i]))
            i++;
        if (pattern[i] == '\0')
            return (char *)text;
        if (text[i] == '\0')
            return NULL;
    }
}

size_t strspn(const char *text, const char *accepted)
{
    size_t length = 0;
    while (text[length] != '\0' && is_one_of(text[length], accepted))
        length++;
    return length;
}

size_t strcspn(const char *text, const char *rejected)
{
    size_t length = 0;
    while (text[length] != '\0' && !is_one_of(text[length], rejected))
        length++;
    return length;
}

char *strpbrk(const char *text, const char *accepted)
{
    for (; *text != '\0'; text++)
        if (is_one_of(*text, accepted))
            return (char *)text;
    return NULL;
}

static char *next_token(char *text, const char *delimiters, char **rest)
{
    if (text == NULL)
        text = *rest;
    while (*text != '\0' && is_one_of(*text, delimiters))
        text++;
    if (*text == '\0') {
        *rest = text;
        return NULL;
    }
    char *token = text;
    while (*text != '\0' && !is_one_of(*text, delimiters))
        text++;
    if (*text != '\0')
        *text++ = '\0';
    *rest = text;
    return token;
}

char *strtok_r(char *text, const char *delimiters, char **rest)
{
    return next_token(text, delimiters, rest);
}

char *strtok(char *text, const char *delimiters)
{
    static char *rest;
    __kripke_assert(text != NULL || rest != NULL, "strtok: the first call must pass a string");
    return next_token(text, delimiters, &rest);
}

char *strsep(char **text, const char *delimiters)
{
    char *token = *text;
    if (token == NULL)
        return NULL;
    char *end = token;
    while (*end != '\0' && !is_one_of(*end, delimiters))
        end++;
    if (*end == '\0') {
        *text = NULL;
    } else {
        *end = '\0';
        *text = end + 1;
    }
    return token;
}

size_t strxfrm(char *to, const char *from, size_t size)
{
    __kripke_rely(1, "strxfrm copies the text: the locale is \"C\"");
    size_t length = length_of(from);
    for (size_t i = 0; i < size && i <= length; i++)
        to[i] = from[i];
    return length;
}

char *strdup(const char *text)
{
    size_t size = length_of(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

char *strndup(const char *text, size_t limit)
{
    size_t length = bounded_length_of(text, limit);
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* BSD. */
char *strnstr(const char *text, const char *wanted, size_t limit)
{
    size_t length = length_of(wanted);
    if (length == 0)
        return (char *)text;
    for (size_t i = 0; i < limit && text[i] != '\0'; i++) {
        size_t matched = 0;
        while (matched < length && i + matched < limit && text[i + matched] == wanted[matched])
            matched++;
        if (matched == length)
            return (char *)text + i;
    }
    return NULL;
}

/* The C libraries of microcontrollers; "C" locale. */
char *strlwr(char *text)
{
    for (char *at = text; *at != '\0'; at++)
        *at = (char)lower_case(*at);
    return text;
}

char *strupr(char *text)
{
    for (char *at = text; *at != '\0'; at++)
        if (*at >= 'a' && *at <= 'z')
            *at = (char)(*at - ('a' - 'A'));
    return text;
}

char *strrev(char *text)
{
    size_t length = length_of(text);
    for (size_t i = 0; i < length / 2; i++) {
        char kept = text[i];
        text[i] = text[length - 1 - i];
        text[length - 1 - i] = kept;
    }
    return text;
}

static int first_set_bit(unsigned long long value)
{
    if (value == 0)
        return 0;
    return __builtin_ctzll(value) + 1;
}

int ffs(int value)
{
    return first_set_bit((unsigned int)value);
}

int ffsl(long value)
{
    return first_set_bit((unsigned long)value);
}

int ffsll(long long value)
{
    return first_set_bit((unsigned long long)value);
}
