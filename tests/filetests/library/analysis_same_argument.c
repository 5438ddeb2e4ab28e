// kripke: check
// verdict: holds
//
// One argument gives one result, wherever the function is called; so do different ways to compute it.
#include <assert.h>
#include <math.h>
float __VERIFIER_nondet_float(void);
int __VERIFIER_nondet_int(void);

static float twice(float x)
{
    return 2 * cosf(x);
}

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = x;
    if (!isfinite(x) || x == 0)
        return 0;
    assert(twice(x) == cosf(y) + cosf(x));
    float z = __VERIFIER_nondet_float();
    if (z > 1 && z < 10 && z == x)
        assert(cbrtf(z) == cbrtf(x));
    return 0;
}
