// kripke: check --target msp430
// verdict: holds

#include <assert.h>

int main(void)
{
    assert(sizeof(int) == 2 && sizeof(long) == 4 && sizeof(void *) == 2);
    assert(sizeof(double) == 8);
    return 0;
}
