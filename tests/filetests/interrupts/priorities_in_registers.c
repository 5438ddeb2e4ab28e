// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: the priorities that the program sets are not followed
#include <assert.h>
#include <stdint.h>
static volatile int a;
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)
void SysTick_Handler(void){ a = 7; }
void PendSV_Handler(void){ a = 1; int b = a; assert(b == 1); }
int main(void){ SHPR3 |= 0xFFu << 16; for(;;) {} }
