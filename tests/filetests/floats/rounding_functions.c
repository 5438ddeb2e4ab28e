// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
float nondet_float(void);

int main(void)
{
    assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1);
    assert(round(2.5) == 3 && round(-2.5) == -3 && rint(2.5) == 2 && nearbyint(3.5) == 4);
    assert(signbit(ceil(-0.5)));
    float x = nondet_float();
    if (isfinite(x)) {
        assert(floorf(x) <= x && ceilf(x) >= x);
        assert(floorf(x) == x || ceilf(x) - floorf(x) == 1);
    }
    return 0;
}
