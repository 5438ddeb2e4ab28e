// kripke: check
// verdict: holds

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = i * i;
    unsigned k = nondet_uint() % 8;
    assert(a[k] == (int)(k * k));
    return 0;
}
