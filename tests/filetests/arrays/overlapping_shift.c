// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int a[5] = {1, 2, 3, 4, 5};
    for (int i = 4; i > 0; i--)
        a[i] = a[i - 1];
    a[0] = 0;
    assert(a[0] == 0 && a[1] == 1 && a[4] == 4);
    return 0;
}
