#ifndef KRIPKE_STDIO_H
#define KRIPKE_STDIO_H
#include <stdarg.h>
#include <stddef.h>
typedef struct _IO_FILE FILE;
typedef long fpos_t;
#define EOF (-1)
#define BUFSIZ 512
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *restrict, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *restrict, const char *restrict, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char *restrict, const char *restrict, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *restrict, size_t, const char *restrict, ...) __attribute__((format(printf, 3, 4)));
int vprintf(const char *restrict, va_list);
int vfprintf(FILE *restrict, const char *restrict, va_list);
int vsprintf(char *restrict, const char *restrict, va_list);
int vsnprintf(char *restrict, size_t, const char *restrict, va_list);
int scanf(const char *restrict, ...) __attribute__((format(scanf, 1, 2)));
int fscanf(FILE *restrict, const char *restrict, ...) __attribute__((format(scanf, 2, 3)));
int sscanf(const char *restrict, const char *restrict, ...) __attribute__((format(scanf, 2, 3)));
int puts(const char *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int fputs(const char *restrict, FILE *restrict);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
char *fgets(char *restrict, int, FILE *restrict);
int ungetc(int, FILE *);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
FILE *fopen(const char *restrict, const char *restrict);
int fclose(FILE *);
int fflush(FILE *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
void perror(const char *);
#endif
