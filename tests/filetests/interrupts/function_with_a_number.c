// kripke: check --interrupt a:1:3 --interrupt b:1:4
// options: --interrupt-disable mask(n) --interrupt-enable unmask(n) --check assertion --all
// verdict: violated
// violates: assertion@27
/* Each number is enabled for itself; what is never enabled comes from the start. */
#include <assert.h>
void mask(int n);
void unmask(int n);
static volatile int x, y;
void a(void)
{
    x = 1;
}
void b(void)
{
    y = 1;
}
int main(void)
{
    assert(x == 0);
    unmask(3);
    mask(3);
    x = 0;
    assert(x == 0);
    mask(4);
    unmask(3);
    assert(x == 0);
    y = 0;
    assert(y == 0);
    return 0;
}
