// kripke: check
// verdict: violated
// violates: assertion@13

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    if (n >= 0 && n < 20000000) {
        float f = (float)n;
        assert((int)f == n);
    }
    return 0;
}
