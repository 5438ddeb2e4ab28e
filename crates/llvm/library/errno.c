/* errno, by the names under which C libraries reach it. */

#define ASSUMPTION                                                                                        \
    __kripke_rely(1, "errno is changed only by the functions that read numbers (strtol, strtod, ...)")

int errno;

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
