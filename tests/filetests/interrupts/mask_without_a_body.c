// kripke: check --interrupt tick --check assertion
// verdict: holds
#include <assert.h>
unsigned __get_PRIMASK(void);
void __set_PRIMASK(unsigned mask);
void __disable_irq(void);
static volatile int x;
void tick(void)
{
    x++;
}
static unsigned save(void)
{
    unsigned mask = __get_PRIMASK();
    __disable_irq();
    return mask;
}
int main(void)
{
    unsigned outer = save();
    unsigned inner = save();
    assert(outer == 0 && inner == 1);
    __set_PRIMASK(inner);
    int t = x;
    assert(t == x);
    __set_PRIMASK(outer);
    return 0;
}
