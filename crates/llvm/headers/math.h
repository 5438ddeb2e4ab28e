/* C11 7.12, and what POSIX, BSD and GNU add. */
#ifndef KRIPKE_MATH_H
#define KRIPKE_MATH_H
#include <kripke_features.h>
#if __FLT_EVAL_METHOD__ == 2
typedef long double float_t;
typedef long double double_t;
#elif __FLT_EVAL_METHOD__ == 1
typedef double float_t;
typedef double double_t;
#else
typedef float float_t;
typedef double double_t;
#endif
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
/* clang's float.h has these since version 19. */
#undef INFINITY
#undef NAN
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#if defined __i386__ || defined __x86_64__
#define FP_ILOGB0 (-__INT_MAX__ - 1)
#define FP_ILOGBNAN (-__INT_MAX__ - 1)
#else
#define FP_ILOGB0 (-__INT_MAX__)
#define FP_ILOGBNAN __INT_MAX__
#endif
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling MATH_ERREXCEPT
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
/* A function for each real type. */
#define __KRIPKE_1(name) \
  double name(double); \
  float name##f(float); \
  long double name##l(long double);
#define __KRIPKE_2(name) \
  double name(double, double); \
  float name##f(float, float); \
  long double name##l(long double, long double);
#define __KRIPKE_WITH(name, type) \
  double name(double, type); \
  float name##f(float, type); \
  long double name##l(long double, type);
#define __KRIPKE_TO(type, name) \
  type name(double); \
  type name##f(float); \
  type name##l(long double);
__KRIPKE_1(acos)
__KRIPKE_1(acosh)
__KRIPKE_1(asin)
__KRIPKE_1(asinh)
__KRIPKE_1(atan)
__KRIPKE_1(atanh)
__KRIPKE_1(cbrt)
__KRIPKE_1(ceil)
__KRIPKE_1(cos)
__KRIPKE_1(cosh)
__KRIPKE_1(erf)
__KRIPKE_1(erfc)
__KRIPKE_1(exp)
__KRIPKE_1(exp2)
__KRIPKE_1(expm1)
__KRIPKE_1(fabs)
__KRIPKE_1(floor)
__KRIPKE_1(lgamma)
__KRIPKE_1(log)
__KRIPKE_1(log10)
__KRIPKE_1(log1p)
__KRIPKE_1(log2)
__KRIPKE_1(logb)
__KRIPKE_1(nearbyint)
__KRIPKE_1(rint)
__KRIPKE_1(round)
__KRIPKE_1(sin)
__KRIPKE_1(sinh)
__KRIPKE_1(sqrt)
__KRIPKE_1(tan)
__KRIPKE_1(tanh)
__KRIPKE_1(tgamma)
__KRIPKE_1(trunc)
__KRIPKE_2(atan2)
__KRIPKE_2(copysign)
__KRIPKE_2(fdim)
__KRIPKE_2(fmax)
__KRIPKE_2(fmin)
__KRIPKE_2(fmod)
__KRIPKE_2(hypot)
__KRIPKE_2(nextafter)
__KRIPKE_2(pow)
__KRIPKE_2(remainder)
__KRIPKE_WITH(frexp, int *)
__KRIPKE_WITH(ldexp, int)
__KRIPKE_WITH(nexttoward, long double)
__KRIPKE_WITH(scalbln, long)
__KRIPKE_WITH(scalbn, int)
__KRIPKE_TO(int, ilogb)
__KRIPKE_TO(long, lrint)
__KRIPKE_TO(long, lround)
__KRIPKE_TO(long long, llrint)
__KRIPKE_TO(long long, llround)
double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
double modf(double, double *);
float modff(float, float *);
long double modfl(long double, long double *);
double nan(const char *);
float nanf(const char *);
long double nanl(const char *);
double remquo(double, double, int *);
float remquof(float, float, int *);
long double remquol(long double, long double, int *);
#ifdef __KRIPKE_POSIX
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
__KRIPKE_1(significand)
__KRIPKE_2(drem)
__KRIPKE_TO(int, finite)
#endif
#ifdef __KRIPKE_GNU
__KRIPKE_1(exp10)
__KRIPKE_1(roundeven)
void sincos(double, double *, double *);
void sincosf(float, float *, float *);
void sincosl(long double, long double *, long double *);
#endif
#undef __KRIPKE_1
#undef __KRIPKE_2
#undef __KRIPKE_WITH
#undef __KRIPKE_TO
#endif
