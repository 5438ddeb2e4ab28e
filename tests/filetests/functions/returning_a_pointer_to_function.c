// kripke: check
// verdict: holds

#include <assert.h>

static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }

static int (*choose(int positive))(int)
{
    return positive ? twice : negate;
}

int main(void)
{
    assert(choose(1)(21) == 42);
    assert(choose(0)(21) == -21);
    return 0;
}
