// kripke: check --interrupt tick --check assertion
// verdict: holds
#include <assert.h>
static volatile int x, n;
void tick(void)
{
    if (x < 100)
        x = x + 1;
    n = x;
}
int main(void)
{
    int a = x;
    x = 0;
    int b = n;
    assert(a <= 100 && b <= 100);
    return 0;
}
