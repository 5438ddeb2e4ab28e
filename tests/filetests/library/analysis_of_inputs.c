// kripke: check
// verdict: holds
//
// The values of functions at points that the solver asks for bound them in between.
#include <assert.h>
#include <math.h>
double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x >= 0.1 && x <= 0.5))
        return 0;
    assert(exp(x) < 1.65);
    assert(log(x) < -0.69);
    assert(acos(x) > 1.04 && acos(x) < 1.48);
    assert(pow(x, 2.5) < 0.18);
    return 0;
}
