// kripke: check --interrupt tick --check assertion
// verdict: holds
#include <assert.h>
static volatile int enabled, x;
void tick(void)
{
    if (!enabled)
        return;
    x = 1;
}
int main(void)
{
    x = 0;
    assert(x == 0);
    enabled = 1;
    return 0;
}
