/* The models whose results are not determined: what the system's library returns and writes must be among
 * what the model allows. Each case calls the real function on random arguments, gives the model's unknown
 * values candidates, and searches for a choice with which the model does the same.
 *
 * KRIPKE_LIBRARY_CALLS is the number of calls, 2,000 when it is not set. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "native.h"

static long calls;
static char text[400], real[6000], model[6000];

/* Whether some choice of the unknown values makes the condition true. */
#define ALLOWS(function, condition)                                                                       \
    do {                                                                                                  \
        volatile _Bool found = 0;                                                                         \
        calls++;                                                                                          \
        start_search();                                                                                   \
        do {                                                                                              \
            if (setjmp(next_choice) == 0)                                                                 \
                found = (condition);                                                                      \
        } while (!found && try_again());                                                                  \
        if (!found)                                                                                       \
            report(#function, text);                                                                      \
        forget_search();                                                                                  \
    } while (0)

/* A stream as the models see it. */
struct model_stream {
    int descriptor, pushed_back;
};
static struct model_stream stream = {5, EOF};

static void scripted(int count, const long long *values)
{
    memcpy(script, values, (size_t)count * sizeof *values);
    script_length = count;
}
#define SCRIPT(...) scripted(sizeof((long long[]){__VA_ARGS__}) / sizeof(long long), (long long[]){__VA_ARGS__})

static void real_text(const char *characters, size_t length)
{
    true_text = characters;
    true_length = length;
}

/* ---- Formatting: floats and pointers. ---- */

MODEL(snprintf);
MODEL(sprintf);
MODEL(vsnprintf);
MODEL(vsprintf);
MODEL(vasprintf);
MODEL(vprintf);
MODEL(vfprintf);
MODEL(vdprintf);
MODEL(dprintf);
extern int __kripke_printed(const char *format, ...);

static void random_float_format(char *format, const char *length)
{
    char *at = format;
    *at++ = '%';
    for (int i = 0; i < 5; i++)
        if (below(4) == 0)
            *at++ = "-+ #0"[i];
    if (below(3) == 0)
        at += sprintf(at, "%u", below(30));
    if (below(2))
        at += sprintf(at, ".%u", below(25));
    sprintf(at, "%s%c", length, "fFeEgGaA"[below(8)]);
}

static double random_double(void)
{
    static const double special[] = {0.0, -0.0, 1.0, 9.5, 9.4999999, 9.9999999, 99.5, 0.5, 999999.5, 1e15, 1e16,
                                     1e22, 1e23, 1e100, 9.9999999e99, 1e-99, 5e-324, 1.7976931348623157e308,
                                     INFINITY, -INFINITY, NAN, 123456789.0};
    double power = pow(10, (int)below(40) - 15);
    switch (below(5)) {
    case 0:
        return special[below(22)];
    case 1:
        return power - (below(2) ? 0.5 : below(2) ? 0.05 : 1e-9 * power);
    case 2:
        return ldexp((double)random_bits(), (int)below(2046) - 1023 - 63);
    default:
        return (double)(int64_t)random_bits() / power;
    }
}

/* Numbers that a model may ask for: of all characters, those before the point, digits of the
 * exponent, characters of %a without the zeros that fill the field. */
static void candidates_for(const char *number, int count)
{
    candidate(count);
    candidate((long long)strcspn(number, ".eE "));
    for (int digits = 2; digits <= 4; digits++)
        candidate(digits);
    for (int all = 10; all <= 20; all++)
        candidate(all);
}

/* Unspecified characters are the last of the text before its blanks: how many is tried from all to one. */
#define FORMATS(value)                                                                                    \
    do {                                                                                                  \
        int expected = snprintf(real, sizeof real, format, value), end = expected, start = 0;             \
        while (end > 1 && real[end - 1] == ' ')                                                           \
            end--;                                                                                        \
        while (real[start] == ' ' || real[start] == '-' || real[start] == '+')                            \
            start++;                                                                                      \
        volatile int count = end - start + 1;                                                             \
        volatile _Bool spelled = 0;                                                                       \
        while (!spelled && --count > 0) {                                                                 \
            candidates_for(real + end - count, count);                                                    \
            real_text(real + end - count, (size_t)count);                                                 \
            start_search();                                                                               \
            do {                                                                                          \
                memset(model, '#', sizeof model);                                                         \
                if (setjmp(next_choice) == 0)                                                             \
                    spelled = kripke_model_snprintf(model, sizeof model, format, value) == expected &&    \
                            strcmp(model, real) == 0;                                                     \
            } while (!spelled && try_again());                                                            \
            forget_search();                                                                              \
        }                                                                                                 \
        snprintf(text, sizeof text, "%s: \"%.300s\"", format, real);                                      \
        candidates_for(real + end - count, count);                                                        \
        ALLOWS(snprintf, kripke_model_snprintf(NULL, 0, format, value) == expected && spelled);           \
    } while (0)

static void format_floats(void)
{
    char format[32];
    random_float_format(format, "");
    double small = random_double();
    FORMATS(small);
    random_float_format(format, "L");
    long double large = (long double)random_double();
    if (below(3) == 0)
        large *= ldexpl(1.0L, (int)below(30000) - 15000);
    FORMATS(large);
    strcpy(format, below(2) ? "%p" : "%20p");
    void *pointer = below(5) ? (void *)(uintptr_t)(random_bits() >> below(64)) : NULL;
    FORMATS(pointer);
}

/* The functions with a va_list, and those that only return the count. */
static int with_list(int function, char **made, const char *format, ...)
{
    va_list list;
    int result = 0;
    va_start(list, format);
    switch (function) {
    case 0:
        result = kripke_model_vsnprintf(model, sizeof model, format, list);
        break;
    case 1:
        result = kripke_model_vsprintf(model, format, list);
        break;
    case 2:
        result = kripke_model_vasprintf(made, format, list);
        break;
    case 3:
        result = kripke_model_vprintf(format, list);
        break;
    case 4:
        result = kripke_model_vfprintf((FILE *)&stream, format, list);
        break;
    case 5:
        result = kripke_model_vdprintf(1, format, list);
        break;
    }
    va_end(list);
    return result;
}

static void format_lists(void)
{
    int number = (int)(random_bits() >> below(64));
    char *made = NULL;
    int expected = snprintf(real, sizeof real, "<%d|%s>", number, text);
    for (int function = 0; function < 6; function++) {
        memset(model, '#', sizeof model);
        candidate(0);
        ALLOWS(vprintf and relatives, with_list(function, &made, "<%d|%s>", number, text) == expected);
        const char *written = function < 2 ? model : function == 2 ? made : real;
        if (strcmp(written, real) != 0)
            report("vsnprintf, vsprintf or vasprintf", text);
    }
    free(made);
    candidate(0);
    ALLOWS(dprintf, kripke_model_dprintf(1, "<%d|%s>", number, text) == expected);
    candidate(0);
    ALLOWS(printf, __kripke_printed("<%d|%s>", number, text) == expected);
}

/* ---- Memory. ---- */

MODEL(realloc);
MODEL(reallocarray);
MODEL(aligned_alloc);
MODEL(posix_memalign);
extern void *kripke_model_memalign(size_t, size_t);
extern void kripke_model_cfree(void *);
MODEL(bzero);
extern void kripke_model_bcopy(const void *, void *, size_t);

static void memory(void)
{
    size_t size = 1 + below(40), after = 1 + below(40), kept = size < after ? size : after;
    char *block = malloc(size);
    memset(block, 'a', size);
    memset(real, 'a', sizeof real);
    true_size = size;
    ALLOWS(realloc, (block = kripke_model_realloc(block, after)) != NULL && memcmp(block, real, kept) == 0);
    memset(block, 'a', after);
    true_size = after;
    ALLOWS(reallocarray, (block = kripke_model_reallocarray(block, size, 1)) != NULL);
    ALLOWS(realloc, (block = kripke_model_realloc(block, 0), 1));
    free(block);
    if (kripke_model_reallocarray(NULL, SIZE_MAX / 2, 3) != NULL)
        report("reallocarray", "overflow");
    void *aligned = NULL;
    int error = kripke_model_posix_memalign(&aligned, 3, 8);
    if (error != posix_memalign(&aligned, 3, 8) || kripke_model_posix_memalign(&aligned, 16, 8) != 0)
        report("posix_memalign", "differs");
    kripke_model_cfree(aligned);
    free(kripke_model_aligned_alloc(16, 32));
    free(kripke_model_memalign(16, 32));
    memset(model, 0, sizeof model);
    memset(real, 0, sizeof real);
    strcpy(model, text);
    strcpy(real, text);
    size_t shift = below(10);
    bcopy(real, real + shift, 20);
    kripke_model_bcopy(model, model + shift, 20);
    bzero(real, shift);
    kripke_model_bzero(model, shift);
    if (memcmp(real, model, 40) != 0)
        report("bcopy or bzero", text);
}

/* ---- <stdlib.h>. ---- */

MODEL(rand);
MODEL(rand_r);
MODEL(random);
MODEL(srand);
MODEL(srandom);
MODEL(drand48);
MODEL(imaxabs);
MODEL(imaxdiv);
MODEL(system);
MODEL(getenv);
MODEL(setenv);
MODEL(unsetenv);
MODEL(putenv);
MODEL(strerror);
MODEL(strsignal);
MODEL(setlocale);
MODEL(localeconv);

static void numbers(void)
{
    int expected = rand();
    kripke_model_srand(1);
    candidate(expected);
    ALLOWS(rand, kripke_model_rand() == expected);
    unsigned int seed = below(1000), other = seed;
    expected = rand_r(&seed);
    SCRIPT(seed, expected);
    ALLOWS(rand_r, kripke_model_rand_r(&other) == expected && seed == other);
    long number = random();
    kripke_model_srandom(1);
    candidate(number);
    ALLOWS(random, kripke_model_random() == number);
    true_double = drand48();
    ALLOWS(drand48, kripke_model_drand48() == true_double);
    intmax_t x = (intmax_t)(random_bits() >> below(64)) - 5, y = 1 + below(100);
    imaxdiv_t q = imaxdiv(x, y), r = kripke_model_imaxdiv(x, y);
    if (q.quot != r.quot || q.rem != r.rem || imaxabs(x) != kripke_model_imaxabs(x))
        report("imaxdiv or imaxabs", "differs");
    candidate(0);
    ALLOWS(system, kripke_model_system(NULL) == 0);
}

/* The text that a function returns, in an array with room for the longest. */
#define RETURNS_TEXT(function, arguments)                                                                 \
    do {                                                                                                  \
        const char *given = function arguments;                                                           \
        memset(real, 0, sizeof real);                                                                     \
        if (given != NULL)                                                                                \
            strncpy(real, given, 255);                                                                    \
        true_memory = real;                                                                               \
        candidate(0);                                                                                     \
        candidate(1);                                                                                     \
        const char *volatile result = NULL;                                                               \
        ALLOWS(function, (result = kripke_model_##function arguments,                                     \
                          given == NULL ? result == NULL : result != NULL && strcmp(result, real) == 0)); \
    } while (0)

static void texts(void)
{
    char name[32], definition[64];
    sprintf(name, "KRIPKE_%u", below(5));
    RETURNS_TEXT(getenv, ("PATH"));
    RETURNS_TEXT(getenv, (name));
    int expected = setenv(name, text, 1);
    ALLOWS(setenv, kripke_model_setenv(name, text, 1) == expected);
    RETURNS_TEXT(getenv, (name));
    sprintf(definition, "%s=1", name);
    expected = putenv(definition);
    ALLOWS(putenv, kripke_model_putenv(definition) == expected);
    expected = unsetenv(name);
    ALLOWS(unsetenv, kripke_model_unsetenv(name) == expected);
    int number = (int)below(200) - 20;
    RETURNS_TEXT(strerror, (number));
    RETURNS_TEXT(strsignal, (number));
    RETURNS_TEXT(setlocale, (LC_ALL, "C"));
    RETURNS_TEXT(setlocale, (LC_ALL, "no such locale"));
    const struct lconv *given = localeconv(), *result = kripke_model_localeconv();
    if (strcmp(given->decimal_point, result->decimal_point) != 0 ||
        strcmp(given->thousands_sep, result->thousands_sep) != 0 || given->frac_digits != result->frac_digits)
        report("localeconv", "differs");
}

/* ---- Streams: a real file, and a model that reads the same characters. ---- */

#define STREAM_FUNCTION(type, function, ...) extern type kripke_model_##function(__VA_ARGS__)
STREAM_FUNCTION(int, getchar, void);
STREAM_FUNCTION(int, getchar_unlocked, void);
STREAM_FUNCTION(int, getc, void *);
STREAM_FUNCTION(int, _IO_getc, void *);
STREAM_FUNCTION(int, fgetc, void *);
STREAM_FUNCTION(int, ungetc, int, void *);
STREAM_FUNCTION(char *, fgets, char *, int, void *);
STREAM_FUNCTION(char *, gets, char *);
STREAM_FUNCTION(size_t, fread, void *, size_t, size_t, void *);
STREAM_FUNCTION(size_t, fwrite, const void *, size_t, size_t, void *);
STREAM_FUNCTION(long, getline, char **, size_t *, void *);
STREAM_FUNCTION(long, getdelim, char **, size_t *, int, void *);
STREAM_FUNCTION(int, fputc, int, void *);
STREAM_FUNCTION(int, putc, int, void *);
STREAM_FUNCTION(int, _IO_putc, int, void *);
STREAM_FUNCTION(int, fputs, const char *, void *);
STREAM_FUNCTION(void *, fopen, const char *, const char *);
STREAM_FUNCTION(void *, fdopen, int, const char *);
STREAM_FUNCTION(void *, popen, const char *, const char *);
STREAM_FUNCTION(void *, tmpfile, void);
STREAM_FUNCTION(void *, freopen, const char *, const char *, void *);
STREAM_FUNCTION(int, fclose, void *);
STREAM_FUNCTION(int, pclose, void *);
STREAM_FUNCTION(int, fflush, void *);
STREAM_FUNCTION(int, feof, void *);
STREAM_FUNCTION(int, ferror, void *);
STREAM_FUNCTION(void, clearerr, void *);
STREAM_FUNCTION(int, fileno, void *);
STREAM_FUNCTION(int, fseek, void *, long, int);
STREAM_FUNCTION(long, ftell, void *);
STREAM_FUNCTION(void, rewind, void *);
STREAM_FUNCTION(void, setbuf, void *, char *);
STREAM_FUNCTION(int, setvbuf, void *, char *, int, size_t);
STREAM_FUNCTION(int, remove, const char *);
STREAM_FUNCTION(int, rename, const char *, const char *);
STREAM_FUNCTION(void, perror, const char *);
extern struct model_stream *kripke_model_stdin, *kripke_model_stdout, *kripke_model_stderr;

/* A file with the text. */
static FILE *file_of(const char *contents)
{
    FILE *file = tmpfile();
    fputs(contents, file);
    rewind(file);
    return file;
}

#define READS_CHARACTER(function, argument)                                                               \
    do {                                                                                                  \
        real_text(text, strlen(text));                                                                    \
        ALLOWS(function, kripke_model_##function(argument) == expected);                                  \
    } while (0)

static void read_streams(void)
{
    FILE *file = file_of(text);
    int expected = getc(file);
    READS_CHARACTER(getchar, );
    READS_CHARACTER(getchar_unlocked, );
    READS_CHARACTER(getc, &stream);
    READS_CHARACTER(_IO_getc, &stream);
    READS_CHARACTER(fgetc, &stream);
    if (ungetc(expected, file) != kripke_model_ungetc(expected, &stream) ||
        (expected != EOF && getc(file) != kripke_model_getc(&stream)))
        report("ungetc", text);
    rewind(file);
    int size = 1 + (int)below(30);
    memset(real, '#', 64);
    char *line = fgets(real, size, file);
    real_text(text, strlen(text));
    ALLOWS(fgets, (memset(model, '#', 64), stream.pushed_back = EOF,
                   !kripke_model_fgets(model, size, &stream) == !line && memcmp(real, model, 64) == 0));
    rewind(file);
    line = fgets(real, 200, file);
    real[strcspn(real, "\n")] = '\0';
    real_text(text, strlen(text));
    ALLOWS(gets, !kripke_model_gets(model) == !line && (line == NULL || strcmp(real, model) == 0));
    int end = below(2) ? '\n' : 'b';
    char *real_line = NULL, *model_line = NULL;
    size_t real_size = 0, model_size = 0;
    rewind(file);
    long length = getdelim(&real_line, &real_size, end, file);
    real_text(text, strlen(text));
    ALLOWS(getdelim, kripke_model_getdelim(&model_line, &model_size, end, &stream) == length &&
                         (length < 0 || strcmp(real_line, model_line) == 0));
    rewind(file);
    length = getline(&real_line, &real_size, file);
    real_text(text, strlen(text));
    ALLOWS(getline, kripke_model_getline(&model_line, &model_size, &stream) == length &&
                        (length < 0 || strcmp(real_line, model_line) == 0));
    free(real_line);
    free(model_line);
    rewind(file);
    size_t element = 1 + below(4), count = below(8);
    memset(real, '#', 64);
    size_t complete = fread(real, element, count, file);
    true_memory = real;
    SCRIPT((long long)complete, (long long)(strlen(text) - complete * element) % (long long)element);
    ALLOWS(fread, (memset(model, '#', 64), kripke_model_fread(model, element, count, &stream) == complete &&
                                               memcmp(real, model, 64) == 0));
    fclose(file);
}

static void write_streams(void)
{
    FILE *file = tmpfile();
    int c = (int)below(256), expected = fputc(c, file);
    ALLOWS(fputc, kripke_model_fputc(c, &stream) == expected);
    ALLOWS(putc, kripke_model_putc(c, &stream) == expected);
    ALLOWS(_IO_putc, kripke_model__IO_putc(c, &stream) == expected);
    expected = fputs(text, file);
    candidate(expected);
    ALLOWS(fputs, kripke_model_fputs(text, &stream) == expected);
    size_t complete = fwrite(text, 1, strlen(text), file);
    candidate((long long)complete);
    ALLOWS(fwrite, kripke_model_fwrite(text, 1, strlen(text), &stream) == complete);
    long position = ftell(file);
    candidate(position);
    ALLOWS(ftell, kripke_model_ftell(&stream) == position);
    expected = fseek(file, below(2) ? 0 : -1, SEEK_SET);
    ALLOWS(fseek, kripke_model_fseek(&stream, 0, SEEK_SET) == expected);
    expected = fflush(file);
    ALLOWS(fflush, kripke_model_fflush(&stream) == expected);
    candidate(feof(file));
    ALLOWS(feof, kripke_model_feof(&stream) == feof(file));
    candidate(ferror(file));
    ALLOWS(ferror, kripke_model_ferror(&stream) == ferror(file));
    kripke_model_clearerr(&stream);
    kripke_model_rewind(&stream);
    kripke_model_setbuf(&stream, NULL);
    expected = setvbuf(file, NULL, _IONBF, 0);
    candidate(expected);
    ALLOWS(setvbuf, kripke_model_setvbuf(&stream, NULL, _IONBF, 0) == expected);
    if (kripke_model_fileno(kripke_model_stdin) != 0 || kripke_model_fileno(kripke_model_stdout) != 1 ||
        kripke_model_fileno(kripke_model_stderr) != 2)
        report("fileno", "differs");
    fclose(file);
    kripke_model_perror("oracle");
}

#define OPENS(function, arguments, close)                                                                 \
    do {                                                                                                  \
        struct model_stream *volatile opened = NULL;                                                      \
        candidate(3);                                                                                     \
        ALLOWS(function, (opened = kripke_model_##function arguments) != NULL);                           \
        candidate(0);                                                                                     \
        ALLOWS(close, kripke_model_##close((struct model_stream *)opened) == 0);                          \
        ALLOWS(function, kripke_model_##function arguments == NULL);                                      \
    } while (0)

static void open_streams(void)
{
    OPENS(fopen, ("/dev/null", "r"), fclose);
    OPENS(fdopen, (0, "r"), fclose);
    OPENS(popen, ("true", "r"), pclose);
    OPENS(tmpfile, (), fclose);
    ALLOWS(freopen, kripke_model_freopen("/dev/null", "r", &stream) == &stream);
    int expected = remove("/nowhere/at/all");
    ALLOWS(remove, kripke_model_remove("/nowhere/at/all") == expected);
    expected = rename("/nowhere/at/all", "/nowhere");
    ALLOWS(rename, kripke_model_rename("/nowhere/at/all", "/nowhere") == expected);
}

/* ---- Scanning from a stream. ---- */

#define SCANNERS(prefix)                                                                                  \
    extern int kripke_model_##prefix##scanf(const char *, ...);                                           \
    extern int kripke_model_##prefix##fscanf(void *, const char *, ...);                                  \
    extern int kripke_model_##prefix##sscanf(const char *, const char *, ...);                            \
    extern int kripke_model_##prefix##vscanf(const char *, va_list);                                      \
    extern int kripke_model_##prefix##vfscanf(void *, const char *, va_list);                             \
    extern int kripke_model_##prefix##vsscanf(const char *, const char *, va_list);                       \
    static int prefix##vscan(int function, const char *format, ...)                                       \
    {                                                                                                     \
        va_list list;                                                                                     \
        va_start(list, format);                                                                           \
        int result = function == 0   ? kripke_model_##prefix##vscanf(format, list)                        \
                     : function == 1 ? kripke_model_##prefix##vfscanf(&stream, format, list)              \
                                     : kripke_model_##prefix##vsscanf(text, format, list);                \
        va_end(list);                                                                                     \
        return result;                                                                                    \
    }
SCANNERS()
SCANNERS(__isoc99_)
SCANNERS(__isoc23_)

#define SCANS(function, call)                                                                             \
    do {                                                                                                  \
        long *to = second;                                                                                \
        SCRIPT(expected, first[0], first[1]);                                                             \
        ALLOWS(function, (second[0] = second[1] = 7, (call) == expected && first[0] == second[0] &&       \
                                                         first[1] == second[1]));                         \
    } while (0)

#define SCAN_FAMILY(prefix)                                                                               \
    do {                                                                                                  \
        SCANS(prefix##scanf, kripke_model_##prefix##scanf("%ld,%ld", to, to + 1));                        \
        SCANS(prefix##fscanf, kripke_model_##prefix##fscanf(&stream, "%ld,%ld", to, to + 1));             \
        SCANS(prefix##sscanf, kripke_model_##prefix##sscanf(text, "%ld,%ld", to, to + 1));                \
        for (int function = 0; function < 3; function++)                                                  \
            SCANS(prefix##vscanf, prefix##vscan(function, "%ld,%ld", to, to + 1));                        \
    } while (0)

static void scan_streams(void)
{
    char kept[400];
    strcpy(kept, text);
    random_text(text, "01239,,- x", 12);
    FILE *file = file_of(text);
    long first[2] = {7, 7}, second[2];
    int expected = fscanf(file, "%ld,%ld", &first[0], &first[1]);
    SCAN_FAMILY();
    SCAN_FAMILY(__isoc99_);
    SCAN_FAMILY(__isoc23_);
    rewind(file);
    char real_word[40] = "", model_word[40];
    expected = fscanf(file, "%5s", real_word);
    real_text(real_word, strlen(real_word));
    candidate(expected);
    ALLOWS(fscanf, (strcpy(model_word, ""), kripke_model_fscanf(&stream, "%5s", model_word) == expected &&
                                                strcmp(real_word, model_word) == 0));
    fclose(file);
    strcpy(text, kept);
}

/* ---- <time.h>. ---- */

MODEL(time);
MODEL(clock);
MODEL(difftime);
MODEL(gettimeofday);
MODEL(clock_gettime);
MODEL(gmtime);
MODEL(localtime);
MODEL(gmtime_r);
MODEL(localtime_r);
MODEL(mktime);
MODEL(asctime);
MODEL(asctime_r);
MODEL(ctime);
MODEL(ctime_r);
MODEL(strftime);
MODEL(sleep);
MODEL(usleep);
MODEL(nanosleep);

static void clocks(void)
{
    time_t now = time(NULL), copy = 0;
    candidate(now);
    ALLOWS(time, kripke_model_time(&copy) == now && copy == now);
    clock_t processor = clock();
    candidate(processor);
    ALLOWS(clock, kripke_model_clock() == processor);
    struct timeval day, other_day;
    gettimeofday(&day, NULL);
    SCRIPT(day.tv_sec, day.tv_usec);
    ALLOWS(gettimeofday, kripke_model_gettimeofday(&other_day, NULL) == 0 && other_day.tv_usec == day.tv_usec);
    struct timespec fine, other;
    clock_gettime(CLOCK_REALTIME, &fine);
    SCRIPT(fine.tv_sec, fine.tv_nsec);
    ALLOWS(clock_gettime, kripke_model_clock_gettime(CLOCK_REALTIME, &other) == 0 && other.tv_nsec == fine.tv_nsec);
    if (difftime(now, 17) != kripke_model_difftime(now, 17))
        report("difftime", "differs");
    unsigned int rest = sleep(0);
    candidate(rest);
    ALLOWS(sleep, kripke_model_sleep(0) == rest);
    ALLOWS(usleep, kripke_model_usleep(0) == 0);
    fine.tv_sec = fine.tv_nsec = 0;
    true_integer = 0;
    ALLOWS(nanosleep, kripke_model_nanosleep(&fine, NULL) == 0);
    fine.tv_nsec = -1;
    int expected = nanosleep(&fine, NULL);
    ALLOWS(nanosleep, kripke_model_nanosleep(&fine, NULL) == expected);
}

static void script_date(const struct tm *date)
{
    SCRIPT(date->tm_sec, date->tm_min, date->tm_hour, date->tm_mday, date->tm_mon, date->tm_year, date->tm_wday,
           date->tm_yday, date->tm_isdst, 0);
}

static _Bool same_date(const struct tm *a, const struct tm *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour &&
           a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year &&
           a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst;
}

#define DATES(function)                                                                                   \
    do {                                                                                                  \
        struct tm *given = function(&when);                                                               \
        struct tm date = {0}, result = {0};                                                               \
        if (given != NULL) {                                                                              \
            date = *given;                                                                                \
            script_date(&date);                                                                           \
        }                                                                                                 \
        ALLOWS(function, same_date(kripke_model_##function(&when), given == NULL ? NULL : &date));        \
        if (given != NULL)                                                                                \
            script_date(&date);                                                                           \
        ALLOWS(function##_r,                                                                              \
               same_date(kripke_model_##function##_r(&when, &result), given == NULL ? NULL : &date));         \
    } while (0)

static void calendar(void)
{
    time_t when = (time_t)(random_bits() >> below(64)) * (below(2) ? -1 : 1);
    sprintf(text, "%jd", (intmax_t)when);
    DATES(gmtime);
    DATES(localtime);
    when = (time_t)(random_bits() % 250000000000u) - 30000000000;
    struct tm date = *gmtime(&when), model_date;
    strcpy(real, asctime(&date));
    true_memory = real;
    ALLOWS(asctime, strcmp(kripke_model_asctime(&date), real) == 0);
    true_memory = real;
    ALLOWS(asctime_r, strcmp(kripke_model_asctime_r(&date, model), real) == 0);
    strcpy(real, ctime(&when));
    true_memory = real;
    ALLOWS(ctime, strcmp(kripke_model_ctime(&when), real) == 0);
    true_memory = real;
    ALLOWS(ctime_r, strcmp(kripke_model_ctime_r(&when, model), real) == 0);
    size_t size = below(40), length = strftime(real, size, "%A, %d %B %Y %H:%M", &date);
    candidate((long long)length);
    if (length > 0)
        real_text(real, length);
    ALLOWS(strftime, kripke_model_strftime(model, size, "%A, %d %B %Y %H:%M", &date) == length &&
                         (length == 0 || strcmp(real, model) == 0));
    model_date = date;
    when = mktime(&date);
    script_date(&date);
    script[9] = when;
    ALLOWS(mktime, kripke_model_mktime(&model_date) == when && (when == -1 || same_date(&model_date, &date)));
}

/* ---- <wchar.h>. ---- */

MODEL(wcslen);
MODEL(wcsnlen);
MODEL(wcscpy);
MODEL(wcsncpy);
MODEL(wcscat);
MODEL(wcsncat);
MODEL(wcscmp);
MODEL(wcsncmp);
extern wchar_t *kripke_model_wcschr(const wchar_t *, wchar_t);
extern wchar_t *kripke_model_wcsrchr(const wchar_t *, wchar_t);
extern wchar_t *kripke_model_wcsstr(const wchar_t *, const wchar_t *);
extern wchar_t *kripke_model_wmemchr(const wchar_t *, wchar_t, size_t);
MODEL(wmemcpy);
MODEL(wmemmove);
MODEL(wmemset);
MODEL(wmemcmp);

static void random_wide_text(wchar_t *wide)
{
    size_t length = below(8);
    for (size_t i = 0; i < length; i++)
        wide[i] = L"abc\x4e2d"[below(4)];
    wide[length] = 0;
}

#define WIDE_COMPARES(function, arguments)                                                                \
    do {                                                                                                  \
        int expected = function arguments;                                                                \
        candidate(expected);                                                                              \
        ALLOWS(function, kripke_model_##function arguments == expected);                                  \
    } while (0)
#define WIDE_WRITES(function, arguments)                                                                  \
    do {                                                                                                  \
        memset(first, 0, sizeof first), memset(second, 0, sizeof second);                                 \
        first[0] = second[0] = L'x';                                                                      \
        wchar_t *to = first;                                                                              \
        function arguments;                                                                               \
        to = second;                                                                                      \
        if (kripke_model_##function arguments != second || memcmp(first, second, sizeof first) != 0)      \
            report(#function, "differs");                                                                 \
    } while (0)

static void wide_strings(void)
{
    wchar_t a[16] = {0}, b[16] = {0}, first[40], second[40];
    random_wide_text(a);
    random_wide_text(b);
    size_t n = below(9);
    if (wcslen(a) != kripke_model_wcslen(a) || wcsnlen(a, n) != kripke_model_wcsnlen(a, n) ||
        wcschr(a, L'b') != kripke_model_wcschr(a, L'b') || wcsrchr(a, L'b') != kripke_model_wcsrchr(a, L'b') ||
        wcsstr(a, b) != kripke_model_wcsstr(a, b) || wmemchr(a, L'b', n) != kripke_model_wmemchr(a, L'b', n))
        report("wcslen and relatives", "differs");
    WIDE_COMPARES(wcscmp, (a, b));
    WIDE_COMPARES(wcsncmp, (a, b, n));
    WIDE_COMPARES(wmemcmp, (a, b, n));
    WIDE_WRITES(wcscpy, (to, a));
    WIDE_WRITES(wcsncpy, (to, a, n));
    WIDE_WRITES(wcscat, (to, a));
    WIDE_WRITES(wcsncat, (to, a, n));
    WIDE_WRITES(wmemcpy, (to, a, n));
    WIDE_WRITES(wmemmove, (to, a, n));
    WIDE_WRITES(wmemset, (to, L'y', n));
}

/* ---- What is left: NaNs, classes of floats, C23's names, exit handlers, errno. ---- */

MODEL(nan);
MODEL(nanf);
MODEL(nanl);
#define CLASSES(suffix, type)                                                                             \
    extern int kripke_model_isnan##suffix(type), kripke_model_isinf##suffix(type),                        \
        kripke_model_finite##suffix(type);                                                                \
    extern void kripke_model_sincos##suffix(type, type *, type *);                                        \
    static void classes##suffix(type x)                                                                   \
    {                                                                                                     \
        if (!__builtin_isnan(x) != !kripke_model_isnan##suffix(x) ||                                      \
            !__builtin_isinf(x) != !kripke_model_isinf##suffix(x) ||                                      \
            !__builtin_isfinite(x) != !kripke_model_finite##suffix(x))                                    \
            report("isnan, isinf or finite" #suffix, "differs");                                          \
    }                                                                                                     \
    static void both##suffix(type x)                                                                      \
    {                                                                                                     \
        type sine, cosine, model_sine, model_cosine;                                                      \
        sincos##suffix(x, &sine, &cosine);                                                                \
        true_double = sine, true_float = (float)sine, true_long_double = sine;                            \
        excluded = 0;                                                                                     \
        kripke_model_sincos##suffix(x, &model_sine, &model_cosine);                                       \
        if (excluded || model_sine != sine)                                                               \
            report("sincos" #suffix, "excludes the sine");                                                \
        true_double = cosine, true_float = (float)cosine, true_long_double = cosine;                      \
        kripke_model_sincos##suffix(x, &model_sine, &model_cosine);                                       \
        if (model_cosine != cosine)                                                                       \
            report("sincos" #suffix, "excludes the cosine");                                              \
    }
CLASSES(, double)
CLASSES(f, float)
CLASSES(l, long double)

#define C23_NUMBER(function)                                                                              \
    do {                                                                                                  \
        extern __typeof__(function) kripke_model___isoc23_##function;                                     \
        char *end, *model_end;                                                                            \
        ALLOWS(__isoc23_##function, kripke_model___isoc23_##function(text, &model_end, 10) ==             \
                                            function(text, &end, 10) && end == model_end);                \
    } while (0)

static char order[4];

static void first_handler(void) { strcat(order, "1"); }
static void second_handler(void) { strcat(order, "2"); }

static void the_rest(void)
{
    extern int kripke_model_atexit(void (*)(void)), kripke_model_at_quick_exit(void (*)(void));
    extern void __kripke_at_exit(void), __kripke_at_quick_exit(void);
    extern int kripke_model_errno, *kripke_model___errno(void), *kripke_model___errno_location(void),
        *kripke_model___error(void), *kripke_model__errno(void);
    double x = random_double();
    if (!__builtin_isnan(kripke_model_nan("")) || !__builtin_isnan(kripke_model_nanf("1")) ||
        !__builtin_isnan(kripke_model_nanl("")))
        report("nan", "is a number");
    classes(x), classesf((float)x), classesl(x);
    x = ldexp((double)(int64_t)random_bits(), -60);
    both(x), bothf((float)x), bothl(x);
    C23_NUMBER(strtol);
    C23_NUMBER(strtoll);
    C23_NUMBER(strtoul);
    C23_NUMBER(strtoull);
    C23_NUMBER(strtoimax);
    C23_NUMBER(strtoumax);
    order[0] = '\0';
    kripke_model_atexit(first_handler), kripke_model_atexit(second_handler);
    kripke_model_at_quick_exit(first_handler);
    __kripke_at_exit();
    __kripke_at_quick_exit();
    if (strcmp(order, "211") != 0)
        report("atexit", order);
    if (kripke_model___errno() != &kripke_model_errno || kripke_model___errno_location() != &kripke_model_errno ||
        kripke_model___error() != &kripke_model_errno || kripke_model__errno() != &kripke_model_errno)
        report("errno", "is not one object");
}

void test_bounded_models(void)
{
    static void (*const cases[])(void) = {format_floats, format_floats, format_floats, format_lists, memory,
                                          numbers,       texts,         read_streams,  write_streams, open_streams,
                                          scan_streams,  clocks,        calendar,      wide_strings,  the_rest};
    const char *count = getenv("KRIPKE_LIBRARY_CALLS");
    long limit = count == NULL ? 2000 : atol(count);
    for (unsigned int round = 0; calls < limit; round++) {
        random_text(text, below(2) ? "ab 1\n,-" : "0123456789", 30);
        cases[round % (sizeof cases / sizeof cases[0])]();
    }
    printf("%ld calls of bounded models\n", calls);
}
