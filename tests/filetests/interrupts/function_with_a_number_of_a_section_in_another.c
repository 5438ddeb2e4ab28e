// kripke: check --interrupt a:1:3 --interrupt b:1:4
// options: --interrupt-disable mask(n) --interrupt-enable unmask(n) --check assertion
// verdict: violated
// violates: main.assertion.1
/* Without the saved value the inner section ends the outer one. */
#include <assert.h>
static unsigned masked = 0xff;
static volatile int x;
void mask(int n)
{
    masked |= 1u << n;
}
void unmask(int n)
{
    masked &= ~(1u << n);
}
static int enter(int n)
{
    int before = masked >> n & 1;
    mask(n);
    return before;
}
static void leave(int n, int before)
{
    (void)before;
    unmask(n);
}
void a(void)
{
    x++;
}
void b(void)
{
}
int main(void)
{
    void (*volatile on)(int) = unmask;
    unmask(3);
    on(4);
    int outer = enter(3);
    int inner = enter(3);
    int t = x;
    leave(3, inner);
    assert(t == x);
    leave(3, outer);
    return 0;
}
