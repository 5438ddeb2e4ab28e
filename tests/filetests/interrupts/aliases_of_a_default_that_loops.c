// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.2
// prints: `Default_Handler` only loops: no interrupt calls it
// prints: `SysTick_Handler` (number -1) comes
#include <assert.h>
static volatile int t;
extern unsigned _estack;
void Default_Handler(void)
{
    for (;;) {
        __asm__ volatile("nop");
    }
}
void NMI_Handler(void) __attribute__((weak, alias("Default_Handler")));
void HardFault_Handler(void) __attribute__((weak, alias("Default_Handler")));
void PendSV_Handler(void) __attribute__((weak, alias("Default_Handler")));
void SysTick_Handler(void)
{
    t = 1;
}
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack, 0, NMI_Handler, HardFault_Handler, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    PendSV_Handler, SysTick_Handler, Default_Handler,
};
int main(void)
{
    assert(t >= 0);
    assert(t == 0);
    return 0;
}
