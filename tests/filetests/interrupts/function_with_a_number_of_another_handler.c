// kripke: check --interrupt a:1:3 --interrupt b:1:4 --interrupt-disable mask(n) --check assertion
// verdict: violated
// violates: assertion@20
#include <assert.h>
void mask(int n);
static volatile int x;
void a(void)
{
    x++;
}
void b(void)
{
}
int main(void)
{
    mask(4);
    int t = x;
    mask(5);
    mask(-1);
    assert(t == x);
    return 0;
}
