// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint() & 31;
    unsigned bit = 1u << n;
    assert(bit != 0);
    assert((bit & (bit - 1)) == 0);
    assert(bit >> n == 1);
    return 0;
}
