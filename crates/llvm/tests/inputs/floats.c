#include <float.h>
#include <math.h>

float single = 0.1f;
double twice = -1e300;
long double extended = 3.14159265358979323846L;
const double specials[] = {INFINITY, -INFINITY, NAN, DBL_MIN, 0x1p-1074, -0.0};
const float single_specials[] = {FLT_MAX, FLT_MIN, 0x1p-149f, INFINITY};
const long double extended_specials[] = {LDBL_MAX, 1.0L / 3.0L, INFINITY};

double arithmetic(float a, double b, long double c, int i, unsigned u) {
    double r = a + b * a - b / a;
    r += (double)(c * 2 + 1);
    r = -r + i + u;
    if (r < a || r > b || r == 0 || r != 1 || a <= b || a >= b) r += fabs(r) + sqrt(b);
    if (isnan(r) || isinf(b) || !isfinite(c)) r = fmod(r, 3) + fma(a, b, r);
    r += isless(a, b) + isunordered(a, b) + signbit(r) + floor(r) + copysign(r, b);
    i = (int)r;
    u = (unsigned)a;
    return (float)c + i + u + (a ? 1 : 2) + __builtin_fmax(r, 1) + __builtin_truncf(a) + __builtin_rint(r);
}

#if __clang_major__ >= 15 && defined __x86_64__
_Float16 half(_Float16 x) { return x * (_Float16)0.5; }
#endif

int main(void) { return (int)arithmetic(single, twice, extended, 1, 2); }
