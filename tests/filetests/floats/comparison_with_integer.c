// kripke: check
// verdict: holds
// The integer is converted to float too, so that both sides are the same.

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    float f = n;
    assert(f <= n);
    return 0;
}
