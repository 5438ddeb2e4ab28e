#ifndef KRIPKE_ERRNO_H
#define KRIPKE_ERRNO_H
int *__errno_location(void);
#define errno (*__errno_location())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define EINVAL 22
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38
#define EILSEQ 84
#define EOVERFLOW 75
#define ETIMEDOUT 110
#endif
