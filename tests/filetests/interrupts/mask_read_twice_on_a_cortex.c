// kripke: check --interrupt tick --check assertion --target thumbv7m-none-eabi
// verdict: violated
// violates: assertion@15
/* A handler that leaves PRIMASK set may come between two reads of it. */
#include <assert.h>
unsigned __get_PRIMASK(void);
void __disable_irq(void);
void tick(void)
{
    __disable_irq();
}
int main(void)
{
    unsigned first = __get_PRIMASK();
    assert(first == __get_PRIMASK());
    return 0;
}
