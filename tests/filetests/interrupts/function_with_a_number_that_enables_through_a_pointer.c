// kripke: check --interrupt tick:1:3 --interrupt-enable unmask(n) --check assertion --all
// verdict: violated
// violates: assertion@22
/* Until it is called through a pointer the handler does not come. */
#include <assert.h>
static volatile int x;
void unmask(int n)
{
    (void)n;
}
void tick(void)
{
    x = 5;
}
static void (*volatile enable)(int) = unmask;
int main(void)
{
    x = 1;
    assert(x == 1);
    enable(3);
    x = 1;
    assert(x == 1);
    return 0;
}
