// kripke: check --interrupts --target thumbv7em-none-eabihf --check assertion
// verdict: violated
// violates: assertion@20
#include <assert.h>
static volatile int t;
void SysTick_Handler(void)
{
    t = 1;
}
int main(void)
{
    __asm__ volatile("cpsid i\n\tdsb\n\tisb 0xF" : : : "memory");
    t = 0;
    __asm__ volatile("dmb 0xF" : : : "memory");
    __asm__ volatile("sev");
    assert(t == 0);
    __asm__ volatile("cpsie i" : : : "memory");
    __asm__ volatile("wfi");
    __asm__ volatile("wfe" : : : "memory");
    assert(t == 0);
    return 0;
}
