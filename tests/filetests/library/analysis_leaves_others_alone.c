// kripke: check --timeout 12s
// verdict: unknown
// prints: 1 unknown

#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    unsigned int n = __VERIFIER_nondet_uint();
    if (!(x > 0.01 && x < 1))
        return 0;
    double y = sin(x);
    assert(y != 0.123456789012345); // nobody finds out
    assert((n ^ (n << 1)) != 5 || n == 3); // does not depend on it
    return 0;
}
