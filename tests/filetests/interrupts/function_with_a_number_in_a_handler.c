// kripke: check --interrupt low:1:3 --interrupt high:2:4
// options: --interrupt-disable mask(n) --interrupt-enable unmask(n) --check assertion --all
// verdict: violated
// violates: assertion@25
/* What a handler masks stays masked behind it; what it enables may come within. */
#include <assert.h>
void mask(int n);
void unmask(int n);
static volatile int x, once;
void high(void)
{
    x++;
}
void low(void)
{
    mask(4);
    int t = x;
    if (once)
        assert(t == x);
    once = 1;
    assert(t == x);
    unmask(4);
    t = x;
    if (once == 1)
        assert(t == x);
    mask(4);
}
int main(void)
{
    int t = x;
    return t;
}
