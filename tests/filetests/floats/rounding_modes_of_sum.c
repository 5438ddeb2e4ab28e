// kripke: check
// verdict: holds

#include <assert.h>
#include <fenv.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float(), y = nondet_float();
    if (!(x > 0 && x < 1000 && y > 0 && y < 1000))
        return 0;
    fesetround(FE_DOWNWARD);
    float low = x + y;
    fesetround(FE_UPWARD);
    float high = x + y;
    assert(low <= high);
    return 0;
}
