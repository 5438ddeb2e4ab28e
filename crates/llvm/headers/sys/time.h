/* POSIX. */
#ifndef KRIPKE_SYS_TIME_H
#define KRIPKE_SYS_TIME_H
#include <sys/types.h>
#include <time.h>
struct timeval {
  time_t tv_sec;
  long tv_usec;
};
int gettimeofday(struct timeval *__restrict, void *__restrict);
#endif
