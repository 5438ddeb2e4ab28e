// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    int a = 1, b = 2, c = 3;
    int *table[3] = {&a, &b, &c};
    unsigned i = nondet_uint() % 3;
    *table[i] = 0;
    assert((a == 0) + (b == 0) + (c == 0) == 1);
    assert(*table[i] == 0);
    return 0;
}
