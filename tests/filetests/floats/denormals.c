// kripke: check
// verdict: holds

#include <assert.h>
#include <float.h>

int main(void)
{
    volatile float tiny = FLT_MIN;
    float half = tiny / 2;
    assert(half > 0 && half < FLT_MIN);
    assert(half * 2 == FLT_MIN);
    volatile float least = 1.40129846e-45f;
    assert(least > 0 && least / 2 == 0);
    return 0;
}
