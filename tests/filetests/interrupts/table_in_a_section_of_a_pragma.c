// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int x;
static void a(void){ x = 1; }
void SysTick_Handler(void){ static volatile int t; t = 1; }
#pragma clang section rodata=".isr_vector"
extern void (*const v[])(void);
void (*const v[])(void) = { STK, Reset_Handler, [15]=SysTick_Handler, a };
#pragma clang section rodata=""
int main(void){ assert(x == 0); return 0; }
