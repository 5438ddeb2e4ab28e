// kripke: check --interrupt tick --check assertion
// verdict: holds
#include <assert.h>
unsigned __get_PRIMASK(void);
void __set_PRIMASK(unsigned mask);
void __disable_irq(void);
static volatile int a, b;
void tick(void)
{
    int next = a == 0;
    a = next;
    b = next;
}
static int same(void)
{
    unsigned saved = __get_PRIMASK();
    __disable_irq();
    int x = a, y = b;
    __set_PRIMASK(saved);
    return x == y;
}
int main(void)
{
    for (;;)
        assert(same());
}
