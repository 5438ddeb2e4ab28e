/* <stdlib.h>: arithmetic, sorting and searching, exact; rand is any number in its range. */

int abs(int value)
{
    __kripke_assert(value != -__INT_MAX__ - 1, "abs: the result does not fit");
    return value < 0 ? (int)-(unsigned int)value : value;
}

long labs(long value)
{
    __kripke_assert(value != -__LONG_MAX__ - 1, "labs: the result does not fit");
    return value < 0 ? (long)-(unsigned long)value : value;
}

long long llabs(long long value)
{
    __kripke_assert(value != -__LONG_LONG_MAX__ - 1, "llabs: the result does not fit");
    return value < 0 ? (long long)-(unsigned long long)value : value;
}

intmax_t imaxabs(intmax_t value)
{
    __kripke_assert(value != -__INTMAX_MAX__ - 1, "imaxabs: the result does not fit");
    return value < 0 ? (intmax_t)-(uintmax_t)value : value;
}

typedef struct {
    int quot, rem;
} div_t;

typedef struct {
    long quot, rem;
} ldiv_t;

typedef struct {
    long long quot, rem;
} lldiv_t;

typedef struct {
    intmax_t quot, rem;
} imaxdiv_t;

div_t div(int numerator, int denominator)
{
    __kripke_assert(denominator != 0, "div: division by zero");
    __kripke_assert(numerator != -__INT_MAX__ - 1 || denominator != -1, "div: the result does not fit");
    div_t result = {numerator / denominator, numerator % denominator};
    return result;
}

ldiv_t ldiv(long numerator, long denominator)
{
    __kripke_assert(denominator != 0, "ldiv: division by zero");
    __kripke_assert(numerator != -__LONG_MAX__ - 1 || denominator != -1, "ldiv: the result does not fit");
    ldiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    __kripke_assert(denominator != 0, "lldiv: division by zero");
    __kripke_assert(numerator != -__LONG_LONG_MAX__ - 1 || denominator != -1,
                    "lldiv: the result does not fit");
    lldiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator)
{
    __kripke_assert(denominator != 0, "imaxdiv: division by zero");
    __kripke_assert(numerator != -__INTMAX_MAX__ - 1 || denominator != -1,
                    "imaxdiv: the result does not fit");
    imaxdiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

/* RAND_MAX is INT_MAX in glibc, musl, newlib and avr-libc. */
int rand(void)
{
    int value = __kripke_nondet_int("rand");
    __kripke_assume(value >= 0);
    return value;
}

int rand_r(unsigned int *seed)
{
    *seed = __kripke_nondet_uint("rand_r");
    int value = __kripke_nondet_int("rand_r");
    __kripke_assume(value >= 0);
    return value;
}

void srand(unsigned int seed)
{
    (void)seed;
}

long random(void)
{
    long value = __kripke_nondet_long("random");
    __kripke_assume(value >= 0 && value <= 2147483647L);
    return value;
}

void srandom(unsigned int seed)
{
    (void)seed;
}

double drand48(void)
{
    double value = __kripke_nondet_double("drand48");
    __kripke_assume(value >= 0.0 && value < 1.0);
    return value;
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    const char *elements = base;
    size_t all = __kripke_object_size(base);
    __kripke_assert(all == 0 || size == 0 || count <= (all - __kripke_pointer_offset(base)) / size,
                    "bsearch: the array has fewer elements");
    __kripke_rely(1, "bsearch compares the key with the middle element first, and so on: of "
        "several equal elements "
                     "it finds the first that it meets");
    while (count > 0) {
        size_t middle = count / 2;
        const char *element = elements + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order > 0) {
            elements = element + size;
            count -= middle + 1;
        } else {
            count = middle;
        }
    }
    return NULL;
}

/* Insertion by swaps of neighbours: whole elements are moved, at addresses that do not depend on data,
 * and the comparison always sees elements of the array. Equal elements come in any order. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    __kripke_rely(1, "qsort compares and swaps as an insertion sort does, and the comparison "
        "function orders all "
                     "elements");
    if (count < 2 || size == 0)
        return;
    char *spare = __builtin_alloca(size);
    for (size_t sorted = 1; sorted < count; sorted++) {
        for (size_t i = sorted; i > 0; i--) {
            char *right = elements + i * size, *left = right - size;
            int order = compare(left, right);
            if (order < 0 || (order == 0 && !__kripke_nondet_bool("qsort")))
                break;
            memcpy(spare, left, size);
            memcpy(left, right, size);
            memcpy(right, spare, size);
        }
    }
}


/* <search.h>: equality alone matters, and the key comes first. */
void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *))
{
    const char *elements = base;
    for (size_t i = 0; i < *count; i++)
        if (compare(key, elements + i * size) == 0)
            return (void *)(elements + i * size);
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size,
              int (*compare)(const void *, const void *))
{
    void *found = lfind(key, base, count, size, compare);
    if (found != NULL)
        return found;
    char *behind = (char *)base + *count * size;
    memcpy(behind, key, size);
    *count += 1;
    return behind;
}

int system(const char *command)
{
    for (; command != NULL && *command != '\0'; command++)
        ;
    return __kripke_nondet_int("system");
}
