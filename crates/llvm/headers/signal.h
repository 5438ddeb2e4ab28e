/* C11 7.14; the numbers are those of Linux on most machines. */
#ifndef KRIPKE_SIGNAL_H
#define KRIPKE_SIGNAL_H
#include <kripke_features.h>
typedef int sig_atomic_t;
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
void (*signal(int, void (*)(int)))(int);
int raise(int);
#ifdef __KRIPKE_POSIX
#include <sys/types.h>
int kill(pid_t, int);
#endif
#endif
