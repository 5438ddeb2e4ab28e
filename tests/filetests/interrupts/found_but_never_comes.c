// kripke: check --interrupts --never HardFault_Handler --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: `HardFault_Handler` never comes (--never)
#include <assert.h>
static volatile int failed, t;
void HardFault_Handler(void)
{
    failed = 1;
}
void SysTick_Handler(void)
{
    t = 1;
}
int main(void)
{
    assert(!failed);
    return 0;
}
