// kripke: check --unwind 10 --no-k-induction
// verdict: unknown

#include <assert.h>
unsigned nondet_uint(void);

static unsigned down(unsigned n)
{
    return n == 0 ? 0 : down(n - 1);
}

int main(void)
{
    assert(down(nondet_uint()) == 0);
    return 0;
}
