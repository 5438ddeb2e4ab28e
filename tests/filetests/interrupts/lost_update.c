// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: main.assertion.1
/* The handler may come between the read and the write of x++. */
#include <assert.h>
static int x, ticks;
void tick(void)
{
    if (ticks < 2) {
        ticks++;
        x++;
    }
}
int main(void)
{
    x++;
    int came = ticks;
    assert(x >= came + 1);
    return 0;
}
