/* The strings of <wchar.h>, exact but for what C leaves open: how large the result of a comparison is. */

static size_t length_of(const wchar_t *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Two ranges that a function may not get overlapping. */
static void require_disjoint(const wchar_t *to, const wchar_t *from, size_t count, const char *message)
{
    if (__kripke_same_object(to, from)) {
        size_t a = __kripke_pointer_offset(to), b = __kripke_pointer_offset(from);
        __kripke_assert((a < b ? b - a : a - b) >= count * sizeof(wchar_t), message);
    }
}

/* Whether there are so many characters, for a function that may read all of them. */
static int is_whole(const wchar_t *memory, size_t count)
{
    size_t all = __kripke_object_size(memory);
    return all == 0 || count <= (all - __kripke_pointer_offset(memory)) / sizeof(wchar_t);
}

static int any_negative_or_positive(_Bool negative, const char *source)
{
    int size = __kripke_nondet_int(source) & __INT_MAX__;
    return (size + ((size == 0) & !negative)) | (-(int)negative & (-__INT_MAX__ - 1));
}

size_t wcslen(const wchar_t *text)
{
    return length_of(text);
}

size_t wcsnlen(const wchar_t *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    return length;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    size_t i = 0;
    for (; from[i] != 0; i++)
        to[i] = from[i];
    to[i] = 0;
    require_disjoint(to, from, i + 1, "wcscpy: source and target overlap");
    return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count)
{
    size_t length = 0;
    for (; length < count && from[length] != 0; length++)
        to[length] = from[length];
    require_disjoint(to, from, length, "wcsncpy: source and target overlap");
    for (size_t i = length; i < count; i++)
        to[i] = 0;
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    size_t end = length_of(to), i = 0;
    for (; from[i] != 0; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    require_disjoint(to + end, from, i + 1, "wcscat: source and target overlap");
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t limit)
{
    size_t end = length_of(to), i = 0;
    for (; i < limit && from[i] != 0; i++)
        to[end + i] = from[i];
    to[end + i] = 0;
    require_disjoint(to + end, from, i, "wcsncat: source and target overlap");
    return to;
}

int wcscmp(const wchar_t *left, const wchar_t *right)
{
    size_t i = 0;
    while (left[i] == right[i]) {
        if (left[i] == 0)
            return 0;
        i++;
    }
    return any_negative_or_positive(left[i] < right[i], "wcscmp");
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t limit)
{
    for (size_t i = 0; i < limit; i++) {
        if (left[i] != right[i])
            return any_negative_or_positive(left[i] < right[i], "wcsncmp");
        if (left[i] == 0)
            return 0;
    }
    return 0;
}

wchar_t *wcschr(const wchar_t *text, wchar_t character)
{
    for (;; text++) {
        if (*text == character)
            return (wchar_t *)text;
        if (*text == 0)
            return NULL;
    }
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t character)
{
    const wchar_t *found = NULL;
    for (;; text++) {
        if (*text == character)
            found = text;
        if (*text == 0)
            return (wchar_t *)found;
    }
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *pattern)
{
    for (;; text++) {
        size_t i = 0;
        while (pattern[i] != 0 && text[i] == pattern[i])
            i++;
        if (pattern[i] == 0)
            return (wchar_t *)text;
        if (text[i] == 0)
            return NULL;
    }
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count)
{
    return memcpy(to, from, count * sizeof(wchar_t));
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    return memmove(to, from, count * sizeof(wchar_t));
}

wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = value;
    return to;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    __kripke_assert(is_whole(left, count), "wmemcmp: the first object is shorter");
    __kripke_assert(is_whole(right, count), "wmemcmp: the second object is shorter");
    for (size_t i = 0; i < count; i++)
        if (left[i] != right[i])
            return any_negative_or_positive(left[i] < right[i], "wmemcmp");
    return 0;
}

wchar_t *wmemchr(const wchar_t *memory, wchar_t value, size_t count)
{
    __kripke_assert(is_whole(memory, count), "wmemchr: the object is shorter");
    for (size_t i = 0; i < count; i++)
        if (memory[i] == value)
            return (wchar_t *)(memory + i);
    return NULL;
}
