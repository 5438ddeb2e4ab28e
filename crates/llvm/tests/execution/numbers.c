#include <stdio.h>
#include <math.h>
#include <float.h>
#include <fenv.h>
#include <stdint.h>
#include <complex.h>
typedef unsigned __int128 u128; typedef __int128 i128;
static void p128(u128 x) { printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
int main(void) {
  double a = 1.5, b = -2.25; float f = 0.1f; long double ld = 1.0L / 3;
  printf("%g %g %g %g %g\n", a + b, a * b, a / b, fmod(7.5, 2), fmod(-7.5, 2));
  printf("%.17g %.9g %d\n", (double)f, f * 3, ld > 0.333L);
  printf("%g %g %g %g %g %g\n", floor(b), ceil(b), trunc(b), round(2.5), rint(2.5), nearbyint(3.5));
  printf("%g %g %g %g\n", fabs(b), sqrt(2), copysign(3, b), fma(2, 3, 4)); printf("%ld %ld %lld\n", lround(2.5), lrint(2.5), llround(-3.5));
  printf("%g %g %g %g\n", fmin(1, NAN), fmax(2, 3), fdim(5, 3), remainder(7, 4));
  int e; double m = frexp(48.0, &e); printf("%g %d %g\n", m, e, ldexp(0.75, 4)); double ip; double fp = modf(3.75, &ip); printf("%g %g\n", fp, ip);
  printf("%d %d %d %d %d\n", isnan(NAN), isinf(INFINITY), isfinite(1.0), signbit(-0.0) != 0, isnormal(DBL_MIN / 2));
  printf("%d %d %d %d\n", a < b, a > b, NAN == NAN, NAN != NAN); printf("%d %d %d\n", isless(1.0, NAN), isunordered(1.0, NAN), fpclassify(0.0) == FP_ZERO);
  printf("%d %u %lld %d\n", (int)-3.7, (unsigned)3.9f, (long long)1e15, (int)(char)65.5f); printf("%g %g %g\n", (double)UINT64_MAX, (float)INT64_MIN, (double)(uint32_t)-1);
  fesetround(FE_UPWARD); volatile double one = 1, three = 3; double up = one / three; fesetround(FE_DOWNWARD); double dn = one / three; printf("%d %d\n", up > dn, fegetround() == FE_DOWNWARD); fesetround(FE_TONEAREST);
  u128 x = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL; p128(x * 3); p128(x / 7); p128(x % 1000000007); p128(x << 13 ^ x >> 5); i128 y = -(i128)x; p128(y / 5); p128(y >> 70);
  printf("%d %d %d %d\n", __builtin_popcount(0xf0f0), __builtin_clz(1), __builtin_ctzll(1ULL << 40), __builtin_parity(7)); printf("%x %llx %x\n", __builtin_bswap32(0x11223344), (unsigned long long)__builtin_bswap64(0x1122334455667788ULL), __builtin_bswap16(0x1122));
  int r; int o = __builtin_add_overflow(2147483647, 1, &r); printf("%d %d", o, r); unsigned ur; o = __builtin_sub_overflow(1u, 2u, &ur); printf(" %d %u", o, ur); long lr; o = __builtin_mul_overflow(1L << 40, 1L << 30, &lr); printf(" %d %ld\n", o, lr);
  unsigned rot = 0x80000001; rot = rot << 3 | rot >> 29; printf("%x\n", rot); printf("%d\n", __builtin_ffs(8)); printf("%d\n", __builtin_expect(rot == 12, 1) != 0);
  double complex z = 1 + 2 * I, w = 3 - I; z = z + w; printf("%g %g\n", creal(z), cimag(z));
  float g[4] = {1,2,3,4}; float s = 0; for (int i = 0; i < 4; i++) s += g[i] / (i + 1); printf("%a %g\n", s, s);
  printf("%.3f %10.4e %G\n", 3.14159, 12345.678, 1e-10); printf("%Lg\n", ld * 3);
  uint8_t u8 = 200; int8_t i8 = (int8_t)u8; uint16_t u16 = u8 * 300; printf("%d %d %d\n", u8, i8, u16); printf("%d\n", (int)(u8 << 4) | 3);
  volatile int vi = 5; vi += 3; printf("%d\n", vi);
  printf("%d %d\n", (int)nextafterf(1.0f, 2.0f), ilogb(1024.0)); printf("%g\n", scalbn(1.5, 3));
  return 0;
}
