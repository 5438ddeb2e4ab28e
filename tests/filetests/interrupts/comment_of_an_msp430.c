// kripke: check --interrupts --target msp430 --check assertion
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
static volatile int x, y;
static void one(void){ x++; y++; }
__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = { one };
int main(void){ for(;;) { __asm__ volatile("eint ; dint"); x = 0; int a = x; assert(a == 0); } }
