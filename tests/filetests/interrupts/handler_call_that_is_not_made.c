// kripke: check --interrupt tick --check handler-call
// verdict: holds
/* No run comes there. */
#include <stdio.h>
#include <string.h>
static volatile int n;
static char a[4], b[4];
void tick(void)
{
    if (n > 3)
        printf("%d\n", n);
    memcpy(a, b, sizeof a);
}
int main(void)
{
    n = 3;
    printf("%d\n", n);
    return 0;
}
