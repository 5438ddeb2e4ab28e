// kripke: check --interrupt tick --interrupt-bound 4 --check assertion
// verdict: holds
#include <assert.h>
static volatile unsigned t;
void tick(void)
{
    t = t + 1;
}
int main(void)
{
    unsigned a = t;
    unsigned b = t;
    assert(b - a < 5);
    return 0;
}
