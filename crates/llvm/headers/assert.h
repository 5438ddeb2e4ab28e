/* Before any other assert.h of a bare machine: it says what failed and where. */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#ifndef KRIPKE_ASSERT_H
#define KRIPKE_ASSERT_H
void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
#if __STDC_VERSION__ >= 201112L && __STDC_VERSION__ < 202311L
#define static_assert _Static_assert
#endif
#endif
