// kripke: check --interrupts --target msp430 --check assertion
// verdict: violated
// violates: assertion@17
// prints: `on_timer` comes at any time
#include <assert.h>
static volatile int t;
__attribute__((interrupt(3))) void on_timer(void)
{
    t = 1;
}
void tick(void)
{
    t = 2;
}
int main(void)
{
    assert(t == 0);
    return 0;
}
