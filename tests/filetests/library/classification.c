// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    int kind = fpclassify(x);
    assert((kind == FP_NAN) == !!isnan(x));
    assert((kind == FP_INFINITE) == !!isinf(x));
    assert((kind == FP_ZERO) == (x == 0));
    assert((kind == FP_NORMAL) == !!isnormal(x));
    assert(isunordered(x, 1.0f) == (kind == FP_NAN));
    assert(!isless(x, x) && (isgreaterequal(x, x) || isnan(x)));
    return 0;
}
