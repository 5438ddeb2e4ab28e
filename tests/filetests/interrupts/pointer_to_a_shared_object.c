// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@15
#include <assert.h>
static int a, b;
int *p = &a;
void tick(void)
{
    *p = 1;
}
int main(void)
{
    p = &b;
    b = 0;
    assert(b == 0);
    return 0;
}
