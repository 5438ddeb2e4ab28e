// kripke: check --interrupt tick --check assertion --target thumbv6m-none-eabi
// verdict: holds
/* PRIMASK stays set when the handler returns: it comes once. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
    x = x == 0;
}
int main(void)
{
    int a = x;
    int b = x;
    int c = x;
    assert(a == b || b == c);
    return 0;
}
