// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned used = nondet_uint() % 10, capacity = 5;
    if (capacity - used > 0)
        assert(used <= capacity);
    return 0;
}
