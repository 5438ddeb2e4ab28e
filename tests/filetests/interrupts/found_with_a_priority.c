// kripke: check --interrupts --interrupt SysTick_Handler:2 --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: assertion@14
// prints: `SysTick_Handler` (priority 2, number -1), `PendSV_Handler` (priority 1, number -2) come
#include <assert.h>
static volatile int t;
void SysTick_Handler(void)
{
    t = 0;
}
void PendSV_Handler(void)
{
    t = 1;
    assert(t == 1);
}
int main(void)
{
    return 0;
}
