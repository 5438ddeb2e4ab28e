// kripke: check parts/helper.c
// verdict: violated
// violates: assertion@13

#include <assert.h>
#include "parts/helper.h"
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    assert(limited(x) <= LIMIT);
    assert(limited(x) >= 0);
    return 0;
}
