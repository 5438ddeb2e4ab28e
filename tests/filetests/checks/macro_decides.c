// kripke: check -DLIMIT=4
// verdict: violated
// violates: assertion@14

#include <assert.h>
#ifndef LIMIT
#define LIMIT 100
#endif
unsigned nondet_uint(void);

int main(void)
{
    unsigned x = nondet_uint() % 8;
    assert(x <= LIMIT);
    return 0;
}
