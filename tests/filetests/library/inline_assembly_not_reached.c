// kripke: check
// verdict: holds

#include <assert.h>

static void halt(void)
{
    __asm__ volatile("cpuid");
}

int main(void)
{
    int x = 3;
    if (x > 5)
        halt();
    assert(x == 3);
    return 0;
}
