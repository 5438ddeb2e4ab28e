// kripke: check --interrupt tick --check handler-call
// verdict: violated
// violates: tick.handler-call.1
/* The value of n may be 4. */
#include <stdio.h>
static volatile int n;
void tick(void)
{
    if (n > 3)
        printf("%d\n", n);
}
int main(void)
{
    n = 4;
    return 0;
}
