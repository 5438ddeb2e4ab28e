/* C11 7.24, and what POSIX, BSD and GNU add. */
#ifndef KRIPKE_STRING_H
#define KRIPKE_STRING_H
#include <kripke_features.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *__restrict, const void *__restrict, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strcat(char *__restrict, const char *__restrict);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
int strcoll(const char *, const char *);
char *strcpy(char *__restrict, const char *__restrict);
size_t strcspn(const char *, const char *);
char *strerror(int);
char *strsignal(int);
size_t strlen(const char *);
char *strncat(char *__restrict, const char *__restrict, size_t);
int strncmp(const char *, const char *, size_t);
char *strncpy(char *__restrict, const char *__restrict, size_t);
char *strpbrk(const char *, const char *);
char *strrchr(const char *, int);
size_t strspn(const char *, const char *);
char *strstr(const char *, const char *);
char *strtok(char *__restrict, const char *__restrict);
size_t strxfrm(char *__restrict, const char *__restrict, size_t);
#ifdef __KRIPKE_POSIX
#include <strings.h>
void *memccpy(void *__restrict, const void *__restrict, int, size_t);
char *stpcpy(char *__restrict, const char *__restrict);
char *stpncpy(char *__restrict, const char *__restrict, size_t);
char *strdup(const char *);
size_t strlcat(char *__restrict, const char *__restrict, size_t);
size_t strlcpy(char *__restrict, const char *__restrict, size_t);
char *strndup(const char *, size_t);
size_t strnlen(const char *, size_t);
char *strsep(char **__restrict, const char *__restrict);
char *strtok_r(char *__restrict, const char *__restrict, char **__restrict);
#endif
#ifdef __KRIPKE_GNU
void explicit_bzero(void *, size_t);
void *memset_explicit(void *, int, size_t);
char *strlwr(char *);
char *strnstr(const char *, const char *, size_t);
char *strrev(char *);
char *strupr(char *);
void *memmem(const void *, size_t, const void *, size_t);
void *mempcpy(void *__restrict, const void *__restrict, size_t);
void *memrchr(const void *, int, size_t);
void *rawmemchr(const void *, int);
char *strcasestr(const char *, const char *);
char *strchrnul(const char *, int);
#endif
#endif
