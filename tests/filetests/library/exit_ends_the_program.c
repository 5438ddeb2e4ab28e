// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>
int nondet_int(void);

static void require(int condition)
{
    if (!condition)
        exit(1);
}

int main(void)
{
    int x = nondet_int();
    require(x > 5);
    assert(x > 5);
    if (x == 7)
        abort();
    assert(x != 7);
    return 0;
}
