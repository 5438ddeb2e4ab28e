/* C11 7.21, and what POSIX and GNU add. */
#ifndef KRIPKE_STDIO_H
#define KRIPKE_STDIO_H
#include <kripke_features.h>
#ifdef __KRIPKE_POSIX
#include <stdarg.h>
#include <sys/types.h>
#endif
#define __need_size_t
#define __need_NULL
#include <stddef.h>
typedef struct _IO_FILE FILE;
typedef long fpos_t;
#define EOF (-1)
#define BUFSIZ 512
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#ifdef __APPLE__
extern FILE *__stdinp, *__stdoutp, *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp
#else
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#endif
#define __KRIPKE_FORMAT(kind, text, first) __attribute__((__format__(kind, text, first)))
#define __KRIPKE_LIST __builtin_va_list
int printf(const char *__restrict, ...) __KRIPKE_FORMAT(__printf__, 1, 2);
int fprintf(FILE *__restrict, const char *__restrict, ...) __KRIPKE_FORMAT(__printf__, 2, 3);
int sprintf(char *__restrict, const char *__restrict, ...) __KRIPKE_FORMAT(__printf__, 2, 3);
int snprintf(char *__restrict, size_t, const char *__restrict, ...) __KRIPKE_FORMAT(__printf__, 3, 4);
int vprintf(const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__printf__, 1, 0);
int vfprintf(FILE *__restrict, const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__printf__, 2, 0);
int vsprintf(char *__restrict, const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__printf__, 2, 0);
int vsnprintf(char *__restrict, size_t, const char *__restrict, __KRIPKE_LIST)
    __KRIPKE_FORMAT(__printf__, 3, 0);
int scanf(const char *__restrict, ...) __KRIPKE_FORMAT(__scanf__, 1, 2);
int fscanf(FILE *__restrict, const char *__restrict, ...) __KRIPKE_FORMAT(__scanf__, 2, 3);
int sscanf(const char *__restrict, const char *__restrict, ...) __KRIPKE_FORMAT(__scanf__, 2, 3);
int vscanf(const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__scanf__, 1, 0);
int vfscanf(FILE *__restrict, const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__scanf__, 2, 0);
int vsscanf(const char *__restrict, const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__scanf__, 2, 0);
int puts(const char *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int fputs(const char *__restrict, FILE *__restrict);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
char *fgets(char *__restrict, int, FILE *__restrict);
int ungetc(int, FILE *);
#if __STDC_VERSION__ < 201112L
char *gets(char *);
#endif
size_t fread(void *__restrict, size_t, size_t, FILE *__restrict);
size_t fwrite(const void *__restrict, size_t, size_t, FILE *__restrict);
FILE *fopen(const char *__restrict, const char *__restrict);
FILE *freopen(const char *__restrict, const char *__restrict, FILE *__restrict);
int fclose(FILE *);
int fflush(FILE *);
void setbuf(FILE *__restrict, char *__restrict);
int setvbuf(FILE *__restrict, char *__restrict, int, size_t);
int fgetpos(FILE *__restrict, fpos_t *__restrict);
int fsetpos(FILE *, const fpos_t *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
void perror(const char *);
int remove(const char *);
int rename(const char *, const char *);
FILE *tmpfile(void);
char *tmpnam(char *);
#ifdef __KRIPKE_POSIX
int dprintf(int, const char *__restrict, ...) __KRIPKE_FORMAT(__printf__, 2, 3);
int fileno(FILE *);
int getchar_unlocked(void);
ssize_t getline(char **__restrict, size_t *__restrict, FILE *__restrict);
ssize_t getdelim(char **__restrict, size_t *__restrict, int, FILE *__restrict);
int vdprintf(int, const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__printf__, 2, 0);
FILE *fdopen(int, const char *);
FILE *popen(const char *, const char *);
int pclose(FILE *);
#endif
#ifdef __KRIPKE_GNU
int asprintf(char **__restrict, const char *__restrict, ...) __KRIPKE_FORMAT(__printf__, 2, 3);
int vasprintf(char **__restrict, const char *__restrict, __KRIPKE_LIST) __KRIPKE_FORMAT(__printf__, 2, 0);
#endif
#undef __KRIPKE_FORMAT
#undef __KRIPKE_LIST
#endif
