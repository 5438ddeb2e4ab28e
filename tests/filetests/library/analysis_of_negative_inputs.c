// kripke: check
// verdict: violated
// violates: assertion@15
//
// The sign of odd functions and of odd powers follows that of the argument.
#include <assert.h>
#include <math.h>
double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > -9 && x < -8))
        return 0;
    assert(cbrt(x) > -2 || pow(x, 3) > -513);
    return 0;
}
