// kripke: check
// verdict: violated
// violates: precondition@16
// A clause that calls the function does so where it likes.

#include <assert.h>

static int same(int value)
    __CPROVER_requires(value == 0 || same(value - 1) >= 0)
{
    return value;
}

int main(void)
{
    return same(1) + same(-1);
}
