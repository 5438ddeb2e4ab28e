// kripke: check --target avr
// verdict: violated
// violates: assertion@13

#include <assert.h>
long nondet_long(void);

int main(void)
{
    long n = nondet_long();
    double d = n;
    if (n >= 0 && n < 100000000)
        assert((long)d == n);
    return 0;
}
