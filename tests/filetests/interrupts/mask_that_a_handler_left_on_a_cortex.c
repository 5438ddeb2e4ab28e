// kripke: check --interrupt tick --check assertion --target thumbv7m-none-eabi
// verdict: violated
// violates: assertion@18
/* A handler that disables interrupts leaves PRIMASK set. */
#include <assert.h>
unsigned __get_PRIMASK(void);
void __disable_irq(void);
static volatile int seen;
void tick(void)
{
    seen = 1;
    __disable_irq();
}
int main(void)
{
    while (!seen)
        ;
    assert(__get_PRIMASK() == 0);
    return 0;
}
