/* POSIX. */
#ifndef KRIPKE_SYS_TYPES_H
#define KRIPKE_SYS_TYPES_H
#define __need_size_t
#include <stddef.h>
typedef __PTRDIFF_TYPE__ ssize_t;
#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
typedef long long off_t;
#else
typedef long off_t;
#endif
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
#endif
