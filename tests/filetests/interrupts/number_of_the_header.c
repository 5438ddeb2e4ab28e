// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.2
// prints: `TIM2_IRQHandler` (number 28) comes
#include <assert.h>
typedef enum { SysTick_IRQn = -1, WWDG_IRQn = 0, TIM2_IRQn = 28 } IRQn_Type;
void NVIC_EnableIRQ(IRQn_Type number);
static volatile int t;
void TIM2_IRQHandler(void)
{
    t = 1;
}
int main(void)
{
    NVIC_EnableIRQ(WWDG_IRQn);
    assert(t == 0);
    NVIC_EnableIRQ(TIM2_IRQn);
    assert(t == 0);
    return 0;
}
