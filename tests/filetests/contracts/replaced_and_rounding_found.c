// kripke: check --replace-calls third
// verdict: violated
// violates: postcondition@10
// The function finds whatever rounding mode its callers set.

#include <assert.h>
#include <fenv.h>

static float third(float value)
    __CPROVER_requires(value == 1.0f) __CPROVER_ensures(__CPROVER_return_value == 0x1.555556p-2f)
{
    return value / 3.0f;
}

int main(void)
{
    fesetround(FE_DOWNWARD);
    assert(third(1.0f) == 0x1.555556p-2f);
}
