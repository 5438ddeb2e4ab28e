// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = 3;
    int *p = nondet_int() ? &x : 0;
    if (p)
        assert(*p == 3);
    return 0;
}
