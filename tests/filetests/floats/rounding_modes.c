// kripke: check
// verdict: holds

#include <assert.h>
#include <fenv.h>

int main(void)
{
    volatile double one = 1, three = 3;
    double nearest = one / three;
    fesetround(FE_UPWARD);
    double up = one / three;
    assert(fegetround() == FE_UPWARD);
    fesetround(FE_DOWNWARD);
    double down = one / three;
    fesetround(FE_TOWARDZERO);
    double zero = one / three;
    fesetround(FE_TONEAREST);
    assert(down < up && nearest == down && zero == down);
    return 0;
}
