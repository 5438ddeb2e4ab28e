// kripke: check --interrupt tick --interrupt-if tick:on --check assertion --all
// verdict: violated
// violates: assertion@21
// prints: `tick` comes only while `on`
/* While it is 0 the handler does not come. */
#include <assert.h>
static volatile int on, x;
void tick(void)
{
    x++;
}
int main(void)
{
    assert(x == 0);
    on = 1;
    on = 0;
    int t = x;
    assert(t == x);
    on = 1;
    t = x;
    assert(t == x);
    return 0;
}
