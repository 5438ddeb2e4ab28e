// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: assertion@18
#include <assert.h>
static volatile int t;
void SysTick_Handler(void)
{
    t = 1;
}
int main(void)
{
    __builtin_arm_dsb(15);
    __builtin_arm_isb(15);
    __builtin_arm_nop();
    __builtin_arm_sev();
    __builtin_arm_wfi();
    assert(t >= 0);
    assert(t == 0);
    return 0;
}
