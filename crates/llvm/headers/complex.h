/* C11 7.3. */
#ifndef KRIPKE_COMPLEX_H
#define KRIPKE_COMPLEX_H
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#undef I
#define I _Complex_I
#if __STDC_VERSION__ >= 201112L
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))
#endif
#define __KRIPKE_REAL(name)    \
  double name(double _Complex); \
  float name##f(float _Complex); \
  long double name##l(long double _Complex);
#define __KRIPKE_COMPLEX(name)          \
  double _Complex name(double _Complex); \
  float _Complex name##f(float _Complex); \
  long double _Complex name##l(long double _Complex);
__KRIPKE_REAL(cabs)
__KRIPKE_REAL(carg)
__KRIPKE_REAL(cimag)
__KRIPKE_REAL(creal)
__KRIPKE_COMPLEX(cacos)
__KRIPKE_COMPLEX(cacosh)
__KRIPKE_COMPLEX(casin)
__KRIPKE_COMPLEX(casinh)
__KRIPKE_COMPLEX(catan)
__KRIPKE_COMPLEX(catanh)
__KRIPKE_COMPLEX(ccos)
__KRIPKE_COMPLEX(ccosh)
__KRIPKE_COMPLEX(cexp)
__KRIPKE_COMPLEX(clog)
__KRIPKE_COMPLEX(conj)
__KRIPKE_COMPLEX(cproj)
__KRIPKE_COMPLEX(csin)
__KRIPKE_COMPLEX(csinh)
__KRIPKE_COMPLEX(csqrt)
__KRIPKE_COMPLEX(ctan)
__KRIPKE_COMPLEX(ctanh)
double _Complex cpow(double _Complex, double _Complex);
float _Complex cpowf(float _Complex, float _Complex);
long double _Complex cpowl(long double _Complex, long double _Complex);
#undef __KRIPKE_REAL
#undef __KRIPKE_COMPLEX
#endif
