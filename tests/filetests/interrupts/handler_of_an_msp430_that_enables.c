// kripke: check --interrupts --target msp430 --check assertion
// verdict: unknown
// prints: a handler that enables interrupts before it ends
// Then the other one may come, though their priorities are equal.
#include <assert.h>
static volatile int a, b;
static void one(void)
{
    a = 0;
    __asm__ volatile("eint");
    a = 1;
    b = a;
    assert(b == 1);
    __asm__ volatile("dint");
}
static void two(void){ a = 7; }
__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = { one, two };
int main(void){ for(;;); }
