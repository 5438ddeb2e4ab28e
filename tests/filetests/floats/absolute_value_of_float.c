// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
double nondet_double(void);

int main(void)
{
    double x = nondet_double();
    double magnitude = fabs(x);
    assert(magnitude >= 0 || isnan(x));
    assert(!signbit(magnitude));
    assert(copysign(magnitude, x) == x || isnan(x));
    return 0;
}
