/* Which declarations a program sees beside those of ISO C, by the macros that glibc documents in
 * feature_test_macros(7): POSIX and BSD functions unless the language is strict, GNU's own on request.
 * C libraries of bare machines show all of them, so these do as well there. */
#ifndef KRIPKE_FEATURES_H
#define KRIPKE_FEATURES_H
#if !defined __STRICT_ANSI__ || defined _POSIX_C_SOURCE || defined _POSIX_SOURCE || defined _XOPEN_SOURCE || \
    defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _GNU_SOURCE
#define __KRIPKE_POSIX 1
#endif
#if defined _GNU_SOURCE || (!defined __STRICT_ANSI__ && !defined __linux__)
#define __KRIPKE_GNU 1
#endif
#endif
