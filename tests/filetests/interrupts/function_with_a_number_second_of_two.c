// kripke: check --interrupt a:1:3 --interrupt-disable mask(_,_n) --check assertion
// verdict: holds
#include <assert.h>
void mask(int controller, int n);
static volatile int x;
void a(void)
{
    x++;
}
int main(void)
{
    mask(7, 3);
    int t = x;
    assert(t == x);
    return 0;
}
