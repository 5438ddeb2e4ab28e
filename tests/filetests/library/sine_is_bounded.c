// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
double nondet_double(void);

int main(void)
{
    double x = nondet_double();
    double s = sin(x), c = cos(x);
    if (isfinite(x))
        assert(s >= -1 && s <= 1 && c >= -1 && c <= 1);
    else
        assert(isnan(s));
    assert(sin(0.0) == 0 && cos(0.0) == 1 && exp(0.0) == 1 && log(1.0) == 0);
    return 0;
}
