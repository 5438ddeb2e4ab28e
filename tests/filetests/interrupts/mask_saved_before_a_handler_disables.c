// kripke: check --interrupt tick --check assertion --target thumbv7m-none-eabi
// verdict: violated
// violates: assertion@22
/* It comes between reading and setting PRIMASK, and what it disables is enabled again. */
#include <assert.h>
unsigned __get_PRIMASK(void);
void __set_PRIMASK(unsigned mask);
void __disable_irq(void);
static volatile int done;
void tick(void)
{
    done = 1;
    __disable_irq();
}
int main(void)
{
    unsigned saved = __get_PRIMASK();
    __disable_irq();
    int before = done;
    __set_PRIMASK(saved);
    if (before)
        assert(saved == 1);
    return 0;
}
