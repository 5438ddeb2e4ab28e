// kripke: check --interrupt tick --all --check handler-call
// verdict: violated
// violates: handler-call@17
// violates: handler-call@12
/* In what it calls, too; the program itself may. */
#include <stdlib.h>
static void *volatile p;
static void drop(void)
{
    void *q = p;
    p = 0;
    free(q);
}
void tick(void)
{
    drop();
    p = malloc(4);
}
int main(void)
{
    p = malloc(4);
    drop();
    return 0;
}
