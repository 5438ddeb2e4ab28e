// kripke: check --interrupt tick --check assertion --target thumbv7m-none-eabi
// verdict: holds
/* Who restores PRIMASK leaves it as it was. */
#include <assert.h>
unsigned __get_PRIMASK(void);
void __set_PRIMASK(unsigned mask);
void __disable_irq(void);
void tick(void)
{
    unsigned saved = __get_PRIMASK();
    __disable_irq();
    __set_PRIMASK(saved);
}
int main(void)
{
    unsigned first = __get_PRIMASK();
    assert(first == __get_PRIMASK());
    return 0;
}
