// kripke: check
// verdict: holds
//
// Functions of analysis of constants have their correctly rounded values.
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(fabs(log1p(0.125) - 0.11778303565638346) < 1e-12);
    assert(pow(4.0, 0.5) == 2.0);
    assert(fabs(sin(1.0) * sin(1.0) + cos(1.0) * cos(1.0) - 1.0) < 1e-15);
    assert(sinf(0.5f) > 0.4794f && sinf(0.5f) < 0.4795f);
    assert(tgamma(5.0) == 24.0);
    assert(hypot(3.0, 4.0) == 5.0);
    assert(exp(1.0) == 2.718281828459045);
    double table[8], sum = 0;
    for (int i = 0; i < 8; i++)
        table[i] = sin(i * 3.141592653589793 / 4);
    for (int i = 0; i < 8; i++)
        sum += table[i];
    assert(fabs(sum) < 1e-14 && fabs(table[1] - 0.70710678) < 1e-8);
    return 0;
}
