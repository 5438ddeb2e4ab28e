// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: assertion@17
// prints: `Default_Handler` (priority 2, number -13), `Default_Handler` (priority 1) come
// A handler with several numbers, one of them that of the hard fault, comes while interrupts are disabled.
#include <assert.h>
static volatile int lost;
void __disable_irq(void);
void Default_Handler(void)
{
    lost++;
}
void HardFault_Handler(void) __attribute__((weak, alias("Default_Handler")));
void TIM2_IRQHandler(void) __attribute__((weak, alias("Default_Handler")));
static void last(void)
{
    assert(lost == 0);
}
int main(void)
{
    __disable_irq();
    lost = 0;
    last();
    return 0;
}
