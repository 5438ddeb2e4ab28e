// kripke: check --interrupt tick --check assertion --all
// verdict: violated
// violates: main.assertion.1
// violates: main.assertion.2
/* Where the machine is not known, the handler's return may enable interrupts or not. */
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
    unsigned mask = __get_PRIMASK();
    assert(mask == 0);
    assert(mask == 1);
    return 0;
}
