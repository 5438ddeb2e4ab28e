// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int x;
void NVIC_EnableIRQ(int n);
static void d(void){ static volatile int k; k++; }
void TIM2_IRQHandler(void){ x = 1; }
void TIM3_IRQHandler(void) __attribute__((alias("TIM2_IRQHandler")));
VEC void (*const v[])(void) = { STK, Reset_Handler, [16+28]=TIM2_IRQHandler };
int main(void){ assert(x == 0); NVIC_EnableIRQ(28); return 0; }
