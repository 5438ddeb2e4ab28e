// kripke: check
// verdict: violated
// violates: assertion@31
//
// The bounds of no function exclude its values: the end is reached for arguments of both signs.
#include <assert.h>
#include <math.h>

static const double points[] = {-700, -20.5, -8,  -2.5, -1,  -0.75, -0.5, -1e-9, 1e-9,
                                0.3,  0.5,   1.0, 1.5,  2.0, 7.25,  30.0, 600.0};
static double sum;

int main(void)
{
    for (unsigned i = 0; i < sizeof points / sizeof *points; i++) {
        double x = points[i];
        sum += sin(x) + cos(x) + tan(x) + atan(x) + sinh(x) + cosh(x) + tanh(x) + asinh(x) + cbrt(x);
        sum += exp(x) + exp2(x) + expm1(x) + erf(x) + erfc(x);
        sum += hypot(x, 3) + hypot(-1, x) + atan2(x, 2) + atan2(-1, x);
        if (x < 170 && floor(x) != x)
            sum += tgamma(x);
        if (x >= -1 && x <= 1)
            sum += asin(x) + acos(x) + atanh(x / 2);
        if (x > -1)
            sum += log1p(x);
        if (x > 0)
            sum += log(x) + log2(x) + log10(x) + acosh(x + 1) + pow(x, 0.4) + pow(x, -1.7);
        float f = (float)x;
        sum += pow(x, -3) + pow(x, 5) + powf(f, 3) + cbrtf(f) + sinf(f) + tanhf(f);
    }
    assert(sum != sum);
    return 0;
}
