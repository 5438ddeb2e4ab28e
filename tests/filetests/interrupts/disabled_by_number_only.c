// kripke: check --interrupt tick:1:3 --check assertion
// verdict: holds
/* A number that is never enabled by the program was enabled before, and is disabled here. */
#include <assert.h>
void NVIC_DisableIRQ(int number);
static volatile int x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    NVIC_DisableIRQ(3);
    x = 0;
    assert(x == 0);
    return 0;
}
