// kripke: check
// verdict: violated
// violates: assertion@19

// A variable may lie where that of a block that has ended lay.
#include <assert.h>
#include <stdint.h>
int main(void)
{
    uintptr_t first, second;
    {
        int a = 1;
        first = (uintptr_t)&a;
    }
    {
        int b = 2;
        second = (uintptr_t)&b;
    }
    assert(first != second);
    return 0;
}
