// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

struct counter {
    unsigned value : 4;
};

int main(void)
{
    struct counter c;
    unsigned start = nondet_uint();
    c.value = start;
    assert(c.value == start % 16);
    c.value++;
    assert(c.value == (start + 1) % 16);
    return 0;
}
