// kripke: check --interrupts --target x86_64-unknown-linux-gnu --check assertion
// verdict: unknown
// prints: a handler that enables interrupts before it ends
static volatile int a;
#include <assert.h>
static void one(void)
{
    a = 0;
    __asm__ volatile("sti");
    a = 1;
    int b = a;
    assert(b == 1);
    __asm__ volatile("cli");
}
static void two(void){ a = 7; }
__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = { one, two };
int main(void){ for(;;) {} }
