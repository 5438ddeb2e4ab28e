// kripke: check --interrupt tick --check assertion
// verdict: holds
/* Line ends and tabulators behind an instruction are none. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    __asm__ volatile("cli\n\t" ::: "memory");
    x = 0;
    assert(x == 0);
    return 0;
}
