// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: `common_IRQHandler` is called by the program, and no table of vectors has it
#include <assert.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int x;
void NVIC_DisableIRQ(int n); void NVIC_EnableIRQ(int n);
void common_IRQHandler(void){ x = 1; }
void UART0_IRQHandler(void){ common_IRQHandler(); }
VEC void (*const v[])(void) = { STK, Reset_Handler, [16+6]=UART0_IRQHandler };
int main(void){ assert(x == 0); NVIC_EnableIRQ(6); return 0; }
