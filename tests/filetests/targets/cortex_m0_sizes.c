// kripke: check --target thumbv6m-none-eabi
// verdict: holds

#include <assert.h>

int main(void)
{
    assert(sizeof(int) == 4 && sizeof(long) == 4 && sizeof(void *) == 4);
    assert(sizeof(long long) == 8 && sizeof(double) == 8);
    assert((char)-1 > 0);
    return 0;
}
