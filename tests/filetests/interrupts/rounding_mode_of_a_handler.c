// kripke: check --interrupt tick --check assertion
// verdict: unknown
#include <assert.h>
#include <fenv.h>
void tick(void)
{
    fesetround(FE_UPWARD);
}
int main(void)
{
    volatile float a = 1.0f, b = 3.0f;
    assert(a / b < 0.5f);
    return 0;
}
