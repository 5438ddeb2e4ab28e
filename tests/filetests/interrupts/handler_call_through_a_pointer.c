// kripke: check --interrupt tick --check handler-call
// verdict: violated
// violates: free.handler-call.1
#include <stdlib.h>
static void *volatile p;
static void (*volatile drop)(void *) = free;
void tick(void)
{
    drop(p);
    p = 0;
}
int main(void)
{
    p = malloc(4);
    return 0;
}
