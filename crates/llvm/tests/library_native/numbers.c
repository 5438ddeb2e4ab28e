/* Text to numbers, numbers to text, and scanning: models against the system's library.
 *
 * Without _GNU_SOURCE the headers of glibc 2.38 and newer leave the functions that C23 changed as they were;
 * those of C23 have names of their own there. Older libraries do not have them. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

#define ROUNDS 60000

int asprintf(char **, const char *, ...);
MODEL(strtol);
MODEL(strtoll);
MODEL(strtoul);
MODEL(strtoull);
MODEL(strtoimax);
MODEL(strtoumax);
MODEL(atoi);
MODEL(atol);
MODEL(atoll);
MODEL(strtof);
MODEL(strtod);
MODEL(strtold);
MODEL(atof);
MODEL(abs);
MODEL(labs);
MODEL(llabs);
MODEL(div);
MODEL(ldiv);
MODEL(lldiv);
MODEL(snprintf);
MODEL(sprintf);
MODEL(asprintf);
MODEL(sscanf);
extern int kripke_model_errno;

#define HAS_C23 __GLIBC_PREREQ(2, 38)
#define C23(function) extern __typeof__(function) __isoc23_##function, kripke_model___isoc23_##function
C23(strtol);
C23(strtoll);
C23(strtoul);
C23(strtoull);
C23(strtoimax);
C23(strtoumax);
C23(sscanf);

static char text[80];

static void different(const char *function)
{
    report(function, text);
}

#define INTEGER(function, base)                                                                           \
    do {                                                                                                  \
        char *end = NULL, *model_end = NULL;                                                              \
        errno = kripke_model_errno = 0;                                                                   \
        if (function(text, &end, base) != kripke_model_##function(text, &model_end, base) ||              \
            end != model_end || errno != kripke_model_errno)                                              \
            different(#function);                                                                         \
    } while (0)

/* A number that does not fit may become any. */
#define DECIMAL(function)                                                                                 \
    do {                                                                                                  \
        true_integer = function(text);                                                                    \
        if (function(text) != kripke_model_##function(text))                                              \
            different(#function);                                                                         \
    } while (0)

#define FLOAT(function, truth, type, bits)                                                                \
    do {                                                                                                  \
        char *end, *model_end;                                                                            \
        excluded = unknowns = 0;                                                                          \
        type expected = function(text, &end);                                                             \
        truth = signbit(expected) ? -expected : expected;                                                 \
        type result = kripke_model_##function(text, &model_end);                                          \
        _Bool nan = result != result;                                                                     \
        if (end != model_end || excluded || nan != (expected != expected) ||                              \
            (!nan && memcmp(&result, &expected, bits) != 0))                                              \
            different(#function);                                                                         \
        exact_floats += unknowns == 0;                                                                    \
    } while (0)

void test_numbers(void)
{
    static const char *const alphabets[] = {"0123456789", "-+ 019xX8aAzZ", "0123456789.eE+-", " infINFatyNn()_x",
                                            "0xX.pP+-19aF", "\t\n 12-", "-+ 0011bB2"};
    static const int bases[] = {0, 2, 3, 8, 10, 16, 36, 1, 37, -1};
    int exact_floats = 0;
    broken_contract = 0;
    true_integer = 0;
    for (int round = 0; round < ROUNDS; round++) {
        random_text(text, alphabets[below(7)], below(4) ? 10 : 30);
        if (below(3) == 0)
            sprintf(text, "%" PRId64, (int64_t)(random_bits() >> below(64)));
        if (below(5) == 0)
            sprintf(text, "%s%d.%de%d", below(2) ? "-" : "", below(1000), below(100000), (int)below(40) - 20);
        int base = bases[below(10)];
        INTEGER(strtol, base);
        INTEGER(strtoll, base);
        INTEGER(strtoul, base);
        INTEGER(strtoull, base);
        INTEGER(strtoimax, base);
        INTEGER(strtoumax, base);
#if HAS_C23
        INTEGER(__isoc23_strtol, base);
        INTEGER(__isoc23_strtoll, base);
        INTEGER(__isoc23_strtoul, base);
        INTEGER(__isoc23_strtoull, base);
        INTEGER(__isoc23_strtoimax, base);
        INTEGER(__isoc23_strtoumax, base);
#endif
        DECIMAL(atoi);
        DECIMAL(atol);
        DECIMAL(atoll);
        true_integer = 0;
        true_double = fabs(atof(text));
        double number = kripke_model_atof(text);
        if (number != atof(text) && number == number)
            different("atof");
        FLOAT(strtof, true_float, float, 4);
        FLOAT(strtod, true_double, double, 8);
        FLOAT(strtold, true_long_double, long double, 10);
    }
    if (exact_floats < 2 * ROUNDS)
        report("strtod", "too few numbers are exact");
    for (int round = 0; round < ROUNDS; round++) {
        int x = (int)(random_bits() >> below(64)), y = (int)(random_bits() >> below(64));
        if (y == 0 || (x == INT_MIN && y == -1))
            continue;
        div_t q = div(x, y), r = kripke_model_div(x, y);
        ldiv_t lq = ldiv(x, y), lr = kripke_model_ldiv(x, y);
        lldiv_t llq = lldiv(x, y), llr = kripke_model_lldiv(x, y);
        if (q.quot != r.quot || q.rem != r.rem || lq.quot != lr.quot || lq.rem != lr.rem ||
            llq.quot != llr.quot || llq.rem != llr.rem)
            different("div");
        if (x != INT_MIN && (abs(x) != kripke_model_abs(x) || labs(x) != kripke_model_labs(x) ||
                             llabs(x) != kripke_model_llabs(x)))
            different("abs");
    }
    if (broken_contract)
        report("numbers", "a contract assertion failed on correct use");
    kripke_model_abs(INT_MIN);
    if (!broken_contract)
        report("abs", "no contract assertion for INT_MIN");
}

static void random_conversion(char *format, const char *lengths, char kind)
{
    char *at = format;
    *at++ = '%';
    for (int i = 0; i < 5; i++)
        if (below(4) == 0)
            *at++ = "-+ #0"[i];
    if (below(2))
        at += sprintf(at, "%u", below(14));
    if (below(3) == 0 && kind != 'c')
        at += sprintf(at, ".%u", below(12));
    at += sprintf(at, "%.*s", (int)below((unsigned int)strlen(lengths) + 1), lengths);
    *at++ = kind;
    *at = '\0';
}

#define FORMAT(...)                                                                                       \
    do {                                                                                                  \
        char real[128], model[128];                                                                       \
        size_t size = below(4) ? sizeof real : below(20);                                                 \
        memset(real, '#', sizeof real);                                                                   \
        memset(model, '#', sizeof model);                                                                 \
        int expected = snprintf(real, size, __VA_ARGS__);                                                 \
        int result = kripke_model_snprintf(model, size, __VA_ARGS__);                                     \
        if (result != expected || memcmp(real, model, sizeof real) != 0) {                                \
            char detail[400];                                                                             \
            snprintf(detail, sizeof detail, "%s: \"%.100s\" %d expected, not \"%.100s\" %d", format,      \
                     real, expected, model, result);                                                      \
            report("snprintf", detail);                                                                   \
        }                                                                                                 \
    } while (0)

void test_formatting(void)
{
    char format[64];
    broken_contract = 0;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned long long bits = random_bits() >> below(64);
        char kind = "diuoxXcs%"[below(9)];
        switch (kind) {
        case 'c':
            random_conversion(format, "", kind);
            FORMAT(format, (int)('a' + bits % 26));
            break;
        case 's':
            random_conversion(format, "", kind);
            random_text(text, "stu", 9);
            FORMAT(format, text);
            break;
        case '%':
            strcpy(format, "a%%b%d%%");
            FORMAT(format, (int)bits);
            break;
        default:
            random_conversion(format, "ll", kind);
            if (strstr(format, "ll"))
                FORMAT(format, bits);
            else if (strchr(format, 'l'))
                FORMAT(format, (unsigned long)bits);
            else
                FORMAT(format, (unsigned int)bits);
            random_conversion(format, "hh", kind);
            FORMAT(format, (unsigned int)bits);
        }
        strcpy(format, "%*d|%-*.*s|%zu|%jd|%td");
        int width = (int)below(20) - 10, left_width = (int)below(9), precision = (int)below(9);
        FORMAT(format, width, (int)bits, left_width, precision, "sample", (size_t)bits,
               (intmax_t)bits, (ptrdiff_t)bits);
    }
    int first = 0, second = 0;
    char *made = NULL;
    snprintf(text, sizeof text, "abc%ndef", &first);
    kripke_model_sprintf(text, "abc%ndef", &second);
    if (first != second || kripke_model_asprintf(&made, "%d%s", 42, "x") != 3 || strcmp(made, "42x") != 0)
        report("sprintf", "%n or asprintf differs");
    free(made);
    if (broken_contract)
        report("sprintf", "a contract assertion failed on correct use");
}

/* Scans `text` for numbers, with the library and the model. */
static void scan_numbers(const char *function, __typeof__(sscanf) *library, __typeof__(sscanf) *its_model)
{
    static const char *const formats[] = {
        "%d %d %d", "%i,%i", "%2d%3d%d", "%x %o %u", "%*d %d",
        "%d%n", "%d %% %d", "%d:%d:%d", "%hd %ld", "a%db",
    };
    long real[3] = {7, 7, 7}, model[3] = {7, 7, 7};
    const char *format = formats[below(10)];
    int expected = library(text, format, &real[0], &real[1], &real[2]);
    unknowns = 0;
    int result = its_model(text, format, &model[0], &model[1], &model[2]);
    /* For a number that does not fit any value is stored: here the one that unknowns have. */
    for (int i = 0; i < 3; i++)
        if (unknowns > 0 && model[i] == true_integer)
            real[i] = model[i];
    if (expected != result || memcmp(real, model, sizeof real) != 0) {
        char detail[200];
        snprintf(detail, sizeof detail, "\"%s\" from \"%s\": %d %ld %ld %ld expected, not %d %ld %ld %ld",
                 format, text, expected, real[0], real[1], real[2], result, model[0], model[1], model[2]);
        report(function, detail);
    }
}

void test_scanning(void)
{
    static const char *const words[] = {
        "%s %s", "%3s%s", "%[abc]%s", "%[^,],%s", "%c%c", "%3c", "%*s %s", "%[a-c1-3]%[^a-c]", "%[]x]%s",
    };
    /* glibc takes the zero of a prefix without digits for a number. */
    true_integer = 1;
    for (int round = 0; round < ROUNDS; round++) {
        random_text(text, below(2) ? "0123456789 -" : "01x:,% -+ab\t8", 16);
        scan_numbers("sscanf", sscanf, kripke_model_sscanf);
#if HAS_C23
        scan_numbers("__isoc23_sscanf", __isoc23_sscanf, kripke_model___isoc23_sscanf);
#endif
        random_text(text, "abc,123] xyz", 12);
        char words_real[2][20], words_model[2][20];
        memset(words_real, '#', sizeof words_real);
        memset(words_model, '#', sizeof words_model);
        const char *format = words[below(9)];
        int expected = sscanf(text, format, words_real[0], words_real[1]);
        int result = kripke_model_sscanf(text, format, words_model[0], words_model[1]);
        if (expected != result || memcmp(words_real, words_model, sizeof words_real) != 0) {
            char detail[200];
            snprintf(detail, sizeof detail, "\"%s\" from \"%s\": %d \"%.19s\" expected, not %d \"%.19s\"", format,
                     text, expected, words_real[0], result, words_model[0]);
            report("sscanf", detail);
        }
    }
}
