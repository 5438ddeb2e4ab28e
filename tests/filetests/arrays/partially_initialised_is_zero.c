// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    int a[100] = {1};
    unsigned i = nondet_uint() % 99 + 1;
    assert(a[i] == 0);
    return 0;
}
