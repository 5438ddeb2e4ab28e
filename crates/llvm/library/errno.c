/* errno, by the names under which C libraries reach it. */

int errno;

/* glibc, musl */
int *__errno_location(void)
{
    return &errno;
}

/* newlib, picolibc, Bionic */
int *__errno(void)
{
    return &errno;
}

/* macOS, FreeBSD */
int *__error(void)
{
    return &errno;
}

/* Windows */
int *_errno(void)
{
    return &errno;
}
