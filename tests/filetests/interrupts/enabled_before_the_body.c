// kripke: check --interrupt tick --interrupt-enable unlock --check assertion
// verdict: violated
// violates: assertion@13
/* A function that enables interrupts may do so by its first instruction. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    x = 1;
}
void unlock(void)
{
    assert(x == 0);
}
int main(void)
{
    unlock();
    return 0;
}
