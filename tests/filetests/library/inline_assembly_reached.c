// kripke: check
// verdict: unknown
// prints: inline assembly

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    if (x > 5)
        __asm__ volatile("nop; cpuid" : "+r"(x));
    assert(x == x);
    return 0;
}
