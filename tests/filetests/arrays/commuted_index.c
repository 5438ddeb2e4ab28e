// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int a[3] = {5, 6, 7};
    assert(1 [a] == 6);
    assert("abc"[2] == 'c');
    assert(*(&a[2] - 1) == 6);
    return 0;
}
