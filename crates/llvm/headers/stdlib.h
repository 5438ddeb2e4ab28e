/* C11 7.22, and what POSIX and BSD add. */
#ifndef KRIPKE_STDLIB_H
#define KRIPKE_STDLIB_H
#include <kripke_features.h>
#ifdef __KRIPKE_POSIX
#include <alloca.h>
#include <sys/types.h>
#endif
#define __need_size_t
#define __need_wchar_t
#define __need_NULL
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX __INT_MAX__
#define MB_CUR_MAX ((size_t)1)
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);
void abort(void) __attribute__((__noreturn__));
void exit(int) __attribute__((__noreturn__));
void quick_exit(int) __attribute__((__noreturn__));
void _Exit(int) __attribute__((__noreturn__));
int atexit(void (*)(void));
int at_quick_exit(void (*)(void));
char *getenv(const char *);
int system(const char *);
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
int rand(void);
void srand(unsigned int);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *__restrict, char **__restrict, int);
long long strtoll(const char *__restrict, char **__restrict, int);
unsigned long strtoul(const char *__restrict, char **__restrict, int);
unsigned long long strtoull(const char *__restrict, char **__restrict, int);
double strtod(const char *__restrict, char **__restrict);
float strtof(const char *__restrict, char **__restrict);
long double strtold(const char *__restrict, char **__restrict);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int mblen(const char *, size_t);
int mbtowc(wchar_t *__restrict, const char *__restrict, size_t);
int wctomb(char *, wchar_t);
size_t mbstowcs(wchar_t *__restrict, const char *__restrict, size_t);
size_t wcstombs(char *__restrict, const wchar_t *__restrict, size_t);
#ifdef __KRIPKE_POSIX
double drand48(void);
int posix_memalign(void **, size_t, size_t);
int rand_r(unsigned int *);
long random(void);
void *reallocarray(void *, size_t, size_t);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int putenv(char *);
void srandom(unsigned int);
#endif
#ifdef __KRIPKE_GNU
char *itoa(int, char *, int);
char *ltoa(long, char *, int);
char *ultoa(unsigned long, char *, int);
char *utoa(unsigned int, char *, int);
#endif
#endif
