// kripke: check --interrupt tick --interrupt-bound 2 --check assertion
// verdict: holds
#include <assert.h>
static int x, ticks;
void tick(void)
{
    ticks++;
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
}
int main(void)
{
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    int came = ticks;
    assert(x >= came + 1);
    return 0;
}
