/* C11 7.27, and clocks of POSIX. The layouts are those that the models of these functions have; on an AVR,
 * those of avr-libc, whose calendar functions are not modelled. */
#ifndef KRIPKE_TIME_H
#define KRIPKE_TIME_H
#include <kripke_features.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>
#ifdef __AVR__
typedef __UINT32_TYPE__ time_t;
struct tm {
  signed char tm_sec, tm_min, tm_hour, tm_mday, tm_wday, tm_mon;
  short tm_year, tm_yday, tm_isdst;
};
#else
typedef long time_t;
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
#endif
typedef long clock_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
time_t mktime(struct tm *);
struct tm *gmtime(const time_t *);
struct tm *localtime(const time_t *);
char *asctime(const struct tm *);
char *ctime(const time_t *);
size_t strftime(char *__restrict, size_t, const char *__restrict, const struct tm *__restrict);
#if __STDC_VERSION__ >= 201112L
#define TIME_UTC 1
int timespec_get(struct timespec *, int);
#endif
#ifdef __KRIPKE_POSIX
char *asctime_r(const struct tm *__restrict, char *__restrict);
char *ctime_r(const time_t *, char *);
struct tm *gmtime_r(const time_t *__restrict, struct tm *__restrict);
struct tm *localtime_r(const time_t *__restrict, struct tm *__restrict);
typedef int clockid_t;
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
int clock_gettime(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
#endif
#endif
