// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>

int main(void)
{
    volatile double two = 2, minus = -1;
    assert(sqrt(two) == 1.4142135623730951);
    assert(isnan(sqrt(minus)));
    assert(sqrtf(16.0f) == 4.0f);
    assert(signbit(sqrt(-0.0)));
    return 0;
}
