// kripke: check --interrupts --target armv7a-none-eabi --check assertion
// verdict: unknown
// prints: a handler that enables interrupts before it ends
#include <assert.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int a;
void __enable_irq(void); void __disable_irq(void);
static void one(void){ a = 0; __enable_irq(); a = 1; int b = a; assert(b == 1); __disable_irq(); }
static void two(void){ a = 7; }
VEC static void (*const vectors[])(void) = { one, two };
int main(void){ for(;;) {} }
