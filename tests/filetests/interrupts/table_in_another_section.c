// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
// prints: number 6
#include <assert.h>
static volatile int x, t;
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
static void irq6(void){ x = 1; }
void SysTick_Handler(void){ t = 1; }
__attribute__((section(".interrupts"), used)) void (*const g_pfnVectors[])(void) = {
 (void (*)(void))&_estack, Reset_Handler, [15]=SysTick_Handler, [16+6] = irq6 };
int main(void){ assert(x == 0); return 0; }
