/* errno, by the names under which C libraries reach it. */

#define ASSUMPTION                                                                                        \
    __kripke_rely(1, "errno is changed only by the functions that read numbers (strtol, strtod, ...)")

/* Each thread has its own, where the target knows threads. */
#ifdef __has_feature
#if __has_feature(tls)
#define OF_THE_THREAD _Thread_local
#endif
#endif
#ifndef OF_THE_THREAD
#define OF_THE_THREAD
#endif
OF_THE_THREAD int errno;

/* glibc, musl */
int *__errno_location(void)
{
    ASSUMPTION;
    return &errno;
}

/* newlib, picolibc, Bionic */
int *__errno(void)
{
    ASSUMPTION;
    return &errno;
}

/* macOS, FreeBSD */
int *__error(void)
{
    ASSUMPTION;
    return &errno;
}

/* Windows */
int *_errno(void)
{
    ASSUMPTION;
    return &errno;
}
