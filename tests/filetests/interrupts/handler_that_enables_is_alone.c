// kripke: check --interrupt tick --check assertion --target msp430
// verdict: unknown
// prints: a handler that enables interrupts before it ends
// It may come into itself, between its two writes.
#include <assert.h>
static volatile int x, y;
void tick(void)
{
    x = 1;
    __asm__ volatile("eint");
    y = x;
    x = 0;
}
int main(void)
{
    assert(y == 0 || y == 1);
    return 0;
}
