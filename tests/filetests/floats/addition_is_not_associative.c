// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
float nondet_float(void);

int main(void)
{
    float a = nondet_float(), b = nondet_float(), c = nondet_float();
    if (a > -100 && a < 100 && b > -100 && b < 100 && c > -100 && c < 100)
        assert((a + b) + c == a + (b + c));
    return 0;
}
