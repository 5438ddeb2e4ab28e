/* Strings, characters, sorting and searching: models against the system's library. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "native.h"

#define ROUNDS 20000

MODEL(strlen);
MODEL(strnlen);
MODEL(memcmp);
MODEL(bcmp);
extern void *kripke_model_memchr(const void *, int, size_t);
extern void *kripke_model_memrchr(const void *, int, size_t);
extern void *kripke_model_rawmemchr(const void *, int);
MODEL(memmem);
MODEL(memccpy);
MODEL(mempcpy);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(strcoll);
MODEL(stpcpy);
MODEL(strcpy);
MODEL(stpncpy);
MODEL(strncpy);
MODEL(strcat);
MODEL(strncat);
extern char *kripke_model_strchr(const char *, int);
extern char *kripke_model_strchrnul(const char *, int);
extern char *kripke_model_strrchr(const char *, int);
extern char *kripke_model_index(const char *, int);
extern char *kripke_model_rindex(const char *, int);
extern char *kripke_model_strstr(const char *, const char *);
extern char *kripke_model_strcasestr(const char *, const char *);
extern char *kripke_model_strpbrk(const char *, const char *);
MODEL(strspn);
MODEL(strcspn);
MODEL(strtok);
MODEL(strtok_r);
MODEL(strsep);
MODEL(strdup);
MODEL(strndup);
MODEL(strxfrm);
MODEL(ffs);
MODEL(ffsl);
MODEL(ffsll);
MODEL(htonl);
MODEL(htons);
MODEL(ntohl);
MODEL(ntohs);
MODEL(swab);
MODEL(lfind);
MODEL(lsearch);
extern void kripke_model_explicit_bzero(void *, size_t);
extern void *kripke_model_memset_explicit(void *, int, size_t);
extern char *kripke_model_strnstr(const char *, const char *, size_t);
extern char *kripke_model_strlwr(char *);
extern char *kripke_model_strupr(char *);
extern char *kripke_model_strrev(char *);
extern char *kripke_model_itoa(int, char *, int);
extern char *kripke_model_utoa(unsigned, char *, int);
extern char *kripke_model_ltoa(long, char *, int);
extern char *kripke_model_ultoa(unsigned long, char *, int);
MODEL(qsort);
MODEL(bsearch);
extern size_t kripke_model_strlcpy(char *, const char *, size_t);
extern size_t kripke_model_strlcat(char *, const char *, size_t);

static char a[64], b[64], real[160], model[160];

static void same(const char *function, int equal)
{
    char detail[200];
    if (!equal) {
        snprintf(detail, sizeof detail, "\"%s\" \"%s\": \"%s\" expected, not \"%s\"", a, b, real, model);
        report(function, detail);
    }
}

/* The model may return any number of the right sign: that of the real function too. */
#define COMPARES(function, arguments)                                                                     \
    do {                                                                                                  \
        excluded = 0;                                                                                     \
        true_integer = function arguments;                                                                \
        int expected = (int)true_integer;                                                                 \
        true_integer += true_integer == 0 ? 1 : 0;                                                        \
        same(#function, kripke_model_##function arguments == expected && !excluded);                      \
    } while (0)

/* A function that writes: on two equal buffers, results compared by offset. */
#define WRITES(function, call)                                                                            \
    do {                                                                                                  \
        memset(real, '#', sizeof real);                                                                   \
        memset(model, '#', sizeof model);                                                                 \
        strcpy(real, prefix);                                                                             \
        strcpy(model, prefix);                                                                            \
        char *to = real;                                                                                  \
        char *first = (char *)function call;                                                              \
        to = model;                                                                                       \
        char *second = (char *)kripke_model_##function call;                                              \
        same(#function, memcmp(real, model, sizeof real) == 0 &&                                          \
                            (first == NULL ? second == NULL : first - real == second - model));           \
    } while (0)

static void compare_and_search(size_t n)
{
    int c = "abcAB\0x"[below(7)];
    same("strlen", strlen(a) == kripke_model_strlen(a));
    same("strnlen", strnlen(a, n) == kripke_model_strnlen(a, n));
    COMPARES(memcmp, (a, b, n));
    COMPARES(bcmp, (a, b, n));
    same("memchr", memchr(a, c, n) == kripke_model_memchr(a, c, n));
    same("memrchr", memrchr(a, c, n) == kripke_model_memrchr(a, c, n));
    same("rawmemchr", rawmemchr(a, 0) == kripke_model_rawmemchr(a, 0));
    for (size_t m = 0; m < 4; m++)
        same("memmem", memmem(a, n, b, m) == kripke_model_memmem(a, n, b, m));
    COMPARES(strcmp, (a, b));
    COMPARES(strcoll, (a, b));
    COMPARES(strncmp, (a, b, n));
    COMPARES(strcasecmp, (a, b));
    COMPARES(strncasecmp, (a, b, n));
    same("strchr", strchr(a, c) == kripke_model_strchr(a, c));
    same("index", index(a, c) == kripke_model_index(a, c));
    same("strchrnul", strchrnul(a, c) == kripke_model_strchrnul(a, c));
    same("strrchr", strrchr(a, c) == kripke_model_strrchr(a, c));
    same("rindex", rindex(a, c) == kripke_model_rindex(a, c));
    same("strstr", strstr(a, b) == kripke_model_strstr(a, b));
    same("strcasestr", strcasestr(a, b) == kripke_model_strcasestr(a, b));
    same("strpbrk", strpbrk(a, b) == kripke_model_strpbrk(a, b));
    same("strspn", strspn(a, b) == kripke_model_strspn(a, b));
    same("strcspn", strcspn(a, b) == kripke_model_strcspn(a, b));
}

static void copy(size_t n)
{
    char prefix[16];
    random_text(prefix, "pq", 8);
    WRITES(strcpy, (to, a));
    WRITES(stpcpy, (to, a));
    WRITES(strncpy, (to, a, n));
    WRITES(stpncpy, (to, a, n));
    WRITES(strcat, (to, a));
    WRITES(strncat, (to, a, n));
    WRITES(memccpy, (to, a, 'b', n));
    WRITES(mempcpy, (to, a, n));
    same("strxfrm", strxfrm(real, a, n) == kripke_model_strxfrm(model, a, n));
    char *copied = kripke_model_strdup(a);
    same("strdup", strcmp(copied, a) == 0);
    free(copied);
    copied = kripke_model_strndup(a, n);
    same("strndup", strlen(copied) == strnlen(a, n) && strncmp(copied, a, n) == 0);
    free(copied);
    /* strlcpy and strlcat are what snprintf does. */
    snprintf(real, n, "%s", a);
    same("strlcpy", kripke_model_strlcpy(model, a, n) == strlen(a) && (n == 0 || strcmp(real, model) == 0));
    strcpy(model, prefix);
    size_t expected = strnlen(prefix, n) + strlen(a);
    same("strlcat", kripke_model_strlcat(model, a, n) == expected);
    snprintf(real, sizeof real, "%s", prefix);
    if (n > strlen(prefix))
        snprintf(real, n, "%s%s", prefix, a);
    same("strlcat", strcmp(real, model) == 0);
}

static void split(void)
{
    char first[64], second[64], *rest_real, *rest_model;
    strcpy(first, a);
    strcpy(second, a);
    char *x = strtok_r(first, b, &rest_real), *y = kripke_model_strtok_r(second, b, &rest_model);
    for (int i = 0; i < 40; i++) {
        same("strtok_r", x == NULL ? y == NULL : y != NULL && x - first == y - second && strcmp(x, y) == 0);
        if (x == NULL || y == NULL)
            break;
        x = strtok_r(NULL, b, &rest_real);
        y = kripke_model_strtok_r(NULL, b, &rest_model);
    }
    strcpy(first, a);
    strcpy(second, a);
    x = strtok(first, b);
    y = kripke_model_strtok(second, b);
    while (x != NULL && y != NULL) {
        same("strtok", strcmp(x, y) == 0);
        x = strtok(NULL, b);
        y = kripke_model_strtok(NULL, b);
    }
    same("strtok", x == y);
    strcpy(first, a);
    strcpy(second, a);
    rest_real = first;
    rest_model = second;
    while (rest_real != NULL && rest_model != NULL) {
        x = strsep(&rest_real, b);
        y = kripke_model_strsep(&rest_model, b);
        same("strsep", strcmp(x, y) == 0);
    }
    same("strsep", rest_real == rest_model);
}

static int compare_shorts(const void *left, const void *right)
{
    short x = *(const short *)left, y = *(const short *)right;
    return (x > y) - (x < y);
}

static void sort(void)
{
    short first[20], second[20];
    size_t count = below(21);
    for (size_t i = 0; i < count; i++)
        first[i] = second[i] = (short)below(30);
    qsort(first, count, sizeof(short), compare_shorts);
    kripke_model_qsort(second, count, sizeof(short), compare_shorts);
    same("qsort", memcmp(first, second, count * sizeof(short)) == 0);
    short key = (short)below(30);
    short *x = bsearch(&key, first, count, sizeof(short), compare_shorts);
    short *y = kripke_model_bsearch(&key, first, count, sizeof(short), compare_shorts);
    same("bsearch", x == NULL ? y == NULL : y != NULL && *y == key);
}

static void network(void)
{
    uint32_t value = (uint32_t)random_bits();
    same("htonl", htonl(value) == kripke_model_htonl(value));
    same("ntohl", ntohl(value) == kripke_model_ntohl(value));
    same("htons", htons((uint16_t)value) == kripke_model_htons((uint16_t)value));
    same("ntohs", ntohs((uint16_t)value) == kripke_model_ntohs((uint16_t)value));
}

static void search(void)
{
    short first[8], second[8];
    size_t n = below(7), m = n;
    for (size_t i = 0; i < n; i++)
        first[i] = second[i] = (short)below(6);
    short key = (short)below(6);
    short *x = lfind(&key, first, &n, sizeof(short), compare_shorts);
    short *y = kripke_model_lfind(&key, second, &m, sizeof(short), compare_shorts);
    same("lfind", x == NULL ? y == NULL : y != NULL && x - first == y - second);
    x = lsearch(&key, first, &n, sizeof(short), compare_shorts);
    y = kripke_model_lsearch(&key, second, &m, sizeof(short), compare_shorts);
    same("lsearch", n == m && x - first == y - second && memcmp(first, second, n * sizeof(short)) == 0);
}

/* Functions that only some C libraries have, by what this one has. */
static void other_libraries(size_t n)
{
    char *found = memmem(a, strnlen(a, n), b, strlen(b));
    same("strnstr", kripke_model_strnstr(a, b, n) == found);
    strcpy(real, a);
    strcpy(model, a);
    for (char *at = real; *at != 0; at++)
        *at = (char)((unsigned char)*at < 128 ? tolower(*at) : *at);
    same("strlwr", strcmp(kripke_model_strlwr(model), real) == 0);
    for (char *at = real; *at != 0; at++)
        *at = (char)((unsigned char)*at < 128 ? toupper(*at) : *at);
    same("strupr", strcmp(kripke_model_strupr(model), real) == 0);
    for (size_t i = 0, length = strlen(a); i < length; i++)
        real[i] = model[length - 1 - i];
    same("strrev", strcmp(kripke_model_strrev(model), real) == 0);
    int value = (int)(random_bits() >> below(32));
    long wide = (long)(random_bits() >> below(64));
    sprintf(real, "%d %x %o %ld %lx %u %lu", value, value, value, wide, wide, value, wide);
    char texts[7][80];
    kripke_model_itoa(value, texts[0], 10);
    kripke_model_itoa(value, texts[1], 16);
    kripke_model_itoa(value, texts[2], 8);
    kripke_model_ltoa(wide, texts[3], 10);
    kripke_model_ltoa(wide, texts[4], 16);
    kripke_model_utoa((unsigned)value, texts[5], 10);
    kripke_model_ultoa((unsigned long)wide, texts[6], 10);
    model[0] = '\0';
    for (int i = 0; i < 7; i++)
        strcat(strcat(model, i == 0 ? "" : " "), texts[i]);
    same("itoa", strcmp(real, model) == 0);
    memset(real, '#', sizeof real);
    memset(model, '#', sizeof model);
    explicit_bzero(real + 3, n);
    kripke_model_explicit_bzero(model + 3, n);
    same("explicit_bzero", memcmp(real, model, sizeof real) == 0);
    memset(real + 1, 7, n);
    same("memset_explicit", kripke_model_memset_explicit(model + 1, 7, n) == model + 1);
    swab(a, real, (ptrdiff_t)n - 1);
    kripke_model_swab(a, model, (ptrdiff_t)n - 1);
    same("swab", memcmp(real, model, sizeof real) == 0);
}

void test_strings(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        random_text(a, round % 2 ? "ab" : "abcABC\xe9", 12);
        random_text(b, round % 2 ? "ab" : "abcABC\xe9", round % 3 == 0 ? 12 : 3);
        compare_and_search(below(14));
        copy(below(20));
        split();
        sort();
        network();
        search();
        other_libraries(below(14));
        int bits = (int)(random_bits() & random_bits()) << below(32);
        same("ffs", ffs(bits) == kripke_model_ffs(bits));
        long wide = (long)(random_bits() << below(64));
        same("ffsl", ffsl(wide) == kripke_model_ffsl(wide));
        same("ffsll", ffsll(wide) == kripke_model_ffsll(wide));
    }
    if (broken_contract)
        report("strings", "a contract assertion failed on correct use");
}

#define CHARACTERS(apply)                                                                                 \
    apply(isupper) apply(islower) apply(isdigit) apply(isalpha) apply(isalnum) apply(isxdigit)            \
        apply(isspace) apply(isblank) apply(iscntrl) apply(isprint) apply(isgraph) apply(ispunct)

#define DECLARE(function) MODEL(function);
CHARACTERS(DECLARE)
MODEL(tolower);
MODEL(toupper);
MODEL(isascii);
MODEL(toascii);
extern const uint16_t **kripke_model___ctype_b_loc(void);
extern const int32_t **kripke_model___ctype_tolower_loc(void);
extern const int32_t **kripke_model___ctype_toupper_loc(void);

#define CHECK_CLASS(function)                                                                             \
    true_integer = function(c) == 0 ? 1 : function(c);                                                    \
    excluded = 0;                                                                                         \
    if (kripke_model_##function(c) != function(c) || excluded)                                            \
        report(#function, "differs");

void test_characters(void)
{
    broken_contract = 0;
    for (int c = -1; c < 256; c++) {
        CHARACTERS(CHECK_CLASS)
        if (tolower(c) != kripke_model_tolower(c) || toupper(c) != kripke_model_toupper(c))
            report("tolower or toupper", "differs");
    }
    if (broken_contract)
        report("ctype", "a contract assertion failed on correct use");
    kripke_model_isalpha(256);
    if (!broken_contract)
        report("isalpha", "no contract assertion for 256");
    true_integer = 1;
    for (int c = -200; c < 400; c++)
        if (isascii(c) != kripke_model_isascii(c) || toascii(c) != kripke_model_toascii(c))
            report("isascii or toascii", "differs");
    for (int c = -128; c < 256; c++) {
        if ((*__ctype_b_loc())[c] != (*kripke_model___ctype_b_loc())[c])
            report("__ctype_b_loc", "differs");
        if ((*__ctype_tolower_loc())[c] != (*kripke_model___ctype_tolower_loc())[c])
            report("__ctype_tolower_loc", "differs");
        if ((*__ctype_toupper_loc())[c] != (*kripke_model___ctype_toupper_loc())[c])
            report("__ctype_toupper_loc", "differs");
    }
}
