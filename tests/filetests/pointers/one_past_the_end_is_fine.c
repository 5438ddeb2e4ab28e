// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int a[3] = {1, 2, 3}, sum = 0;
    for (int *p = a; p != a + 3; p++)
        sum += *p;
    assert(sum == 6);
    return 0;
}
