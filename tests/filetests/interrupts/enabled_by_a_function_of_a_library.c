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
void HAL_NVIC_EnableIRQ(int n);   /* of the vendor's library */
static void irq6(void){ x = 1; }
VEC static void (*const vectors[])(void) = { STK, Reset_Handler, [16+6] = irq6 };
int main(void){ HAL_NVIC_EnableIRQ(6); x = 0; assert(x == 0); NVIC_EnableIRQ(6); return 0; }
