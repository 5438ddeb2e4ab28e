// kripke: check --interrupt tick --check handler-call
// verdict: violated
// violates: handler-call@10
// prints: `sscanf` is called in a handler
/* A header of glibc makes `__isoc99_sscanf` or the like of it. */
#include <stdio.h>
static int a;
void tick(void)
{
    (void)sscanf("1", "%d", &a);
}
int main(void)
{
    return 0;
}
