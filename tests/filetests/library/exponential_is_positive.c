// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    float e = expf(x);
    if (!isnan(x))
        assert(e >= 0);
    assert(isnan(logf(-1.0f)) && isinf(logf(0.0f)));
    assert(pow(2.0, 10.0) == 1024 && pow(10.0, 3.0) == 1000 && pow(x, 0) == 1);
    return 0;
}
