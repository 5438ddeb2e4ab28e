// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>

int main(void)
{
    double plus = 0.0, minus = -0.0;
    assert(plus == minus);
    assert(!signbit(plus) && signbit(minus));
    assert(1 / plus == INFINITY && 1 / minus == -INFINITY);
    assert(!signbit(plus + minus) && signbit(minus + minus));
    assert(signbit(-plus));
    return 0;
}
