// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    if (isnan(x)) {
        assert(x != x);
        assert(!(x < 1) && !(x >= 1) && !(x == x));
        assert(isnan(x + 1) && isnan(x * 0));
    } else {
        assert(x == x);
    }
    return 0;
}
