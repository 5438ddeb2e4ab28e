// kripke: check -- -std=gnu89 -w
// verdict: holds

#include <assert.h>

extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (isnan(x))
        assert(x != x);
    else
        assert(x == x);
    if (isfinite(x))
        assert(x - x == 0);
    return 0;
}
