/* C11 7.13. */
#ifndef KRIPKE_SETJMP_H
#define KRIPKE_SETJMP_H
#include <kripke_features.h>
typedef long long jmp_buf[32];
int setjmp(jmp_buf) __attribute__((__returns_twice__));
void longjmp(jmp_buf, int) __attribute__((__noreturn__));
#ifdef __KRIPKE_POSIX
typedef long long sigjmp_buf[48];
int sigsetjmp(sigjmp_buf, int) __attribute__((__returns_twice__));
void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));
#endif
#endif
