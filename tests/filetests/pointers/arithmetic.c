// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int a[5] = {10, 20, 30, 40, 50};
    int *p = a + 1;
    assert(*p == 20 && p[2] == 40 && *(p - 1) == 10);
    assert(&a[4] - p == 3);
    p += 3;
    assert(*p-- == 50 && *p == 40);
    assert(p > a && a < p && p != a);
    return 0;
}
