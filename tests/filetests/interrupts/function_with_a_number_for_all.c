// kripke: check --interrupt a:1:3 --interrupt b
// options: --interrupt-disable mask(n,all=-1) --interrupt-enable unmask(n,all=-1) --check assertion --all
// verdict: violated
// violates: assertion@34
// violates: assertion@37
/* What means all masks handlers without a number, too; and each can be enabled by its own afterwards. */
#include <assert.h>
void mask(int n);
void unmask(int n);
static volatile int x, y;
void a(void)
{
    x++;
}
void b(void)
{
    y++;
}
int main(void)
{
    assert(x == 0 && y == 0);
    unmask(-1);
    mask(3);
    int t = x;
    assert(t == x);
    unmask(3);
    mask(-1);
    t = x;
    int u = y;
    assert(t == x);
    assert(u == y);
    unmask(3);
    assert(u == y);
    assert(t == x);
    mask(3);
    unmask(-1);
    assert(u == y);
    return 0;
}
