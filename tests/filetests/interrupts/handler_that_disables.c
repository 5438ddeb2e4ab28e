// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: main.assertion.1
/* Its return enables interrupts again, on most machines. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    __asm__ __volatile__("cli");
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
