// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: the priorities that `HAL_NVIC_SetPriority` sets are not followed
#include <assert.h>
#include <stdint.h>
static volatile int a;
void HAL_NVIC_SetPriority(int n, uint32_t p, uint32_t s);
void SysTick_Handler(void){ a = 7; }
void PendSV_Handler(void){ a = 1; int b = a; assert(b == 1); }
int main(void){ HAL_NVIC_SetPriority(-2, 15, 0); for(;;) {} }
