// kripke: check --check assertion
// verdict: holds
// A compiler barrier with operands: what is in memory is before what is in registers, in either order.
#include <assert.h>
int main(void)
{
    int x = 1, y = 2;
    __asm__ volatile("" : "+r"(y), "+m"(x));
    __asm__ volatile("" : "+m"(x), "+r"(y));
    assert(x == 1);
    assert(y == 2);
    return 0;
}
