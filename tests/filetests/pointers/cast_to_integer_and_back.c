// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>

int main(void)
{
    int x = 7;
    uintptr_t address = (uintptr_t)&x;
    int *p = (int *)address;
    assert(*p == 7);
    assert(address % _Alignof(int) == 0);
    return 0;
}
