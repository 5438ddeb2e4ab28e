// kripke: check --interrupt tick --check handler-call
// verdict: violated
// violates: tick.handler-call.1
#include <stdlib.h>
static int (*volatile next)(void) = rand;
static volatile int n;
void tick(void)
{
    n = next();
}
int main(void)
{
    return n;
}
