// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>

int main(void)
{
    volatile double x = 5.3, y = 2.0;
    assert(fmod(x, y) == 5.3 - 4.0);
    assert(fmod(-x, y) == -(5.3 - 4.0));
    assert(remainder(5.0, 3.0) == -1.0);
    assert(remainder(2.5, 1.0) == 0.5);
    assert(isnan(fmod(1.0, 0.0)));
    assert(fmod(1.0, INFINITY) == 1.0);
    return 0;
}
