// kripke: check
// verdict: violated
// violates: assertion@15
//
// The counterexample's values are those of the functions: exp(sin(x)) exceeds 2.71 only near pi / 2.
#include <assert.h>
#include <math.h>
double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x >= 0.1 && x <= 3))
        return 0;
    assert(exp(sin(x)) < 2.71);
    return 0;
}
