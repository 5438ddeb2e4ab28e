// kripke: check --interrupts --target thumbv6m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.1
// violates: main.assertion.2
// prints: `SysTick_Handler` (priority 1, number -1), `TIM2_IRQHandler` (priority 1) come
#include <assert.h>
static volatile int t, u, v;
void SysTick_Handler(void)
{
    t = 1;
}
__attribute__((weak)) void TIM2_IRQHandler(void)
{
    u = 1;
}
// These are called by handlers, or by nobody.
void HAL_TIM_IRQHandler(void)
{
    v = 1;
}
void Uart_IRQHandler(int which)
{
    v = which;
}
void helper(void)
{
    v = 1;
}
int main(void)
{
    assert(t == 0);
    assert(u == 0);
    assert(v == 0);
    return 0;
}
