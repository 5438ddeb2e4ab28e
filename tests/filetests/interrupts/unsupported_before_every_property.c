// kripke: check --interrupt tick --check assertion
// verdict: unknown
/* All that is to be checked stands behind an instruction that nobody knows. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    __asm__ volatile("bset 7" ::: "memory");
    assert(x == 0);
    return 0;
}
