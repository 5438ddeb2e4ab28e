// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: main.assertion.2
/* The stub of a test bench does more than to enable. */
#include <assert.h>
static volatile int x, calls;
void tick(void)
{
    x = 1;
}
void __disable_irq(void)
{
    calls++;
}
int main(void)
{
    __disable_irq();
    x = 0;
    assert(x == 0);
    assert(calls == 0);
    return 0;
}
