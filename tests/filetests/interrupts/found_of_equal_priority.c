// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: the priorities that `NVIC_SetPriority` sets are not followed
#include <assert.h>
static volatile int t;
void NVIC_SetPriority(int number, unsigned priority);
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
    NVIC_SetPriority(-1, 3);
    return 0;
}
