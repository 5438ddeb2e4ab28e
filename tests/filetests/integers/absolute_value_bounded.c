// kripke: check
// verdict: holds

#include <assert.h>
short nondet_short(void);

static int magnitude(int x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    int m = magnitude(nondet_short());
    assert(m >= 0 && m <= 32768);
    return 0;
}
