/* Strings, characters, sorting and searching: models against the system's library. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

void test_strings(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        random_text(a, round % 2 ? "ab" : "abcABC\xe9", 12);
        random_text(b, round % 2 ? "ab" : "abcABC\xe9", round % 3 == 0 ? 12 : 3);
        compare_and_search(below(14));
        copy(below(20));
        split();
        sort();
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
