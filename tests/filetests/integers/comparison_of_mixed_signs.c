// kripke: check
// verdict: violated
// violates: assertion@13

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    unsigned int limit = 10;
    if (x < 0)
        assert(x < limit);
    return 0;
}
