/* What POSIX adds to the compiler's limits.h. */
#ifndef KRIPKE_LIMITS_H
#define KRIPKE_LIMITS_H
#include <kripke_features.h>
#ifdef __KRIPKE_POSIX
#define SSIZE_MAX __PTRDIFF_MAX__
#define NAME_MAX 255
#define PATH_MAX 4096
#endif
#endif
