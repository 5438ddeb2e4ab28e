#include <stdio.h>
#include <fenv.h>
#include <math.h>
#include <complex.h>
#include <wchar.h>
#include <stdint.h>
#include <string.h>

#pragma STDC FENV_ACCESS ON

static double divide(double a, double b)
{
    return a / b;
}

static float narrow(double x)
{
    return (float)x;
}

static int compare(double a, double b)
{
    return (a < b) | (a == b) << 1 | (a > b) << 2 | (a != b) << 3;
}

int main(void)
{
    volatile double two = 2;
    int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        double q = divide(-1, 3), s = sqrt(two), r = rint(2.5), f = fma(0.1, 10, -1);
        float n = narrow(0.1);
        long l = lrint(-3.5);
        int back = fegetround() == modes[i];
        fesetround(FE_TONEAREST);
        uint64_t bits[2];
        memcpy(&bits[0], &q, 8);
        memcpy(&bits[1], &s, 8);
        printf("%llx %llx %g %a %a %ld %d\n", (unsigned long long)bits[0], (unsigned long long)bits[1], r, f, n, l, back);
    }
    printf("%d %d %d\n", compare(1, 2), compare(NAN, 1), compare(-0.0, 0.0));
    printf("%d %u %lld %lu\n", (int)divide(7, 2), (unsigned)divide(9, 2), (long long)divide(1e18, 4), (unsigned long)divide(1e19, 1));
    int i = 7;
    unsigned long u = 0xffffffffffffffffUL;
    printf("%g %g %g\n", (double)i, (double)u, (float)u);
    long double x = 1.0L;
    for (int k = 1; k < 20; k++)
        x = x / k + 0.25L;
    printf("%.15g %d %zu\n", (double)x, x > 0.25L, sizeof x);
    long double y = 1.0L / 3;
    unsigned char bytes[16] = {0};
    memcpy(bytes, &y, 10);
    printf("%02x%02x%02x\n", bytes[0], bytes[8], bytes[9]);
    printf("%.12g %.12g %d\n", (double)fabsl(-y), (double)floorl(-y), (int)llroundl(y * 10));
    double complex z = 1.5 + 2.5 * I, w = conj(z);
    z = z * w + 1;
    printf("%g %g %g %d\n", creal(z), cimag(z), cimag(w), z == 9.5);
    wchar_t wide[] = L"wide";
    printf("%d %d %zu\n", (int)wide[1], (int)L'x', sizeof wide / sizeof *wide);
    volatile float tiny = 1e-40f;
    printf("%d %d %a\n", fpclassify(tiny) == FP_SUBNORMAL, isnormal(tiny), tiny / 4);
    printf("%g %g %g\n", fmin(NAN, 2), fmax(-1, NAN), fmod(-5.5, 2));
    return 0;
}
