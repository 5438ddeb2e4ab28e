// kripke: check --interrupts --interrupt-enable unlock --interrupt-disable lock --target riscv32-unknown-elf
// verdict: unknown
// prints: a handler that enables interrupts before it ends
#include <assert.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int a;
void unlock(void); void lock(void);
static void one(void){ a = 0; unlock(); a = 1; int b = a; assert(b == 1); lock(); }
static void two(void){ a = 7; }
VEC static void (*const vectors[])(void) = { one, two };
int main(void){ unlock(); for(;;) {} }
