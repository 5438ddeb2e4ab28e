// kripke: check --target avr --check assertion
// verdict: unknown
// prints: inline assembly ("wfi")
#include <assert.h>
static volatile int t;
int main(void)
{
    __asm__ volatile("wfi");
    assert(t == 0);
    return 0;
}
