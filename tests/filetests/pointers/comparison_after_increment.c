// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    char a[10];
    int n = nondet_int();
    if (n < 0 || n > 10)
        return 0;
    char *p = a + n;
    assert(p - a == n);
    assert(p >= a && p <= a + 10);
    return 0;
}
