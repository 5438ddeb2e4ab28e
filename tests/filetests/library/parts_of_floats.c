// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>

int main(void)
{
    int exponent;
    double whole;
    assert(frexp(12.0, &exponent) == 0.75 && exponent == 4);
    assert(ldexp(0.75, 4) == 12.0 && scalbn(1.0, -3) == 0.125);
    assert(modf(-3.25, &whole) == -0.25 && whole == -3);
    assert(nextafter(1.0, 2.0) == 1.0000000000000002);
    assert(fdim(5, 3) == 2 && fdim(3, 5) == 0);
    assert(lround(2.5) == 3 && lrint(2.5) == 2 && ilogb(8.0) == 3 && logb(0.5) == -1);
    assert(hypot(0, 4) == 4);
    return 0;
}
