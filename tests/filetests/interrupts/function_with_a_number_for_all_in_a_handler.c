// kripke: check --interrupt a:1:3 --interrupt-disable mask(n,all=0) --check assertion --interrupt-bound 2
// verdict: unknown
// prints: a handler that enables or disables all interrupts by a number
/* Does the function clear a flag of the processor, the end of the handler may set it again. */
#include <assert.h>
void mask(int n);
static volatile int x;
void a(void)
{
    x++;
    mask(0);
}
int main(void)
{
    assert(x <= 1);
    return 0;
}
