// kripke: check --interrupt a:1:3 --interrupt-disable mask(n,all=0) --check assertion --interrupt-bound 1
// verdict: unknown
/* Does the function clear a flag of the processor, the end of the handler may set it again. */
#include <assert.h>
void mask(int n);
static volatile int x;
void a(void)
{
    if (x++)
        mask(0);
}
int main(void)
{
    while (x < 2) {
    }
    int t = x;
    assert(t == x || x > 2);
    return 0;
}
