// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: unknown
// prints: inline assembly ("BKPT 1")
// prints: `Default_Handler`, `NMI_Handler` only loop: no interrupt calls them
// The debugger lets it go on: what it does then is not nothing.
#include <assert.h>
static volatile int t;
void Default_Handler(void)
{
    __asm__ volatile("bkpt #0\n");
    for (;;) {
    }
}
void PendSV_Handler(void) __attribute__((weak, alias("Default_Handler")));
__attribute__((naked)) void NMI_Handler(void)
{
    __asm__ volatile("b .");
}
void SysTick_Handler(void)
{
    __asm__ volatile("BKPT 1");
    t = 1;
}
int main(void)
{
    assert(t == 0);
    return 0;
}
