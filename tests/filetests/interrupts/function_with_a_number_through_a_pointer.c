// kripke: check --interrupt tick:1:3 --interrupt-disable mask(n) --check assertion
// verdict: holds
/* What disables by number does so through a pointer, too, and when it is called in no other way. */
#include <assert.h>
static volatile int x;
void mask(int n)
{
    (void)n;
}
void tick(void)
{
    x = 5;
}
static void (*volatile disable)(int) = mask;
int main(void)
{
    disable(3);
    x = 1;
    assert(x == 1);
    return 0;
}
