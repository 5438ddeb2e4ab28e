// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    if (x >= 1 && x <= 100)
        assert(x / 10 * 10 == x);
    return 0;
}
