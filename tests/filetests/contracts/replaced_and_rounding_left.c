// kripke: check --replace-calls coarse
// verdict: violated
// violates: assertion@20
// A call may leave another rounding mode.

#include <assert.h>
#include <fenv.h>

static void coarse(void) __CPROVER_assigns()
{
    fesetround(FE_DOWNWARD);
}

int main(void)
{
    volatile float one = 1.0f, three = 3.0f;
    float before = one / three;
    coarse();
    float after = one / three;
    assert(before == after);
}
