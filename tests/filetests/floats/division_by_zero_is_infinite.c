// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    float zero = 0;
    if (x > 0)
        assert(x / zero == INFINITY);
    if (x == 0)
        assert(isnan(x / zero));
    return 0;
}
