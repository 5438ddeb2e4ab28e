// kripke: check --target avr
// verdict: holds

#include <assert.h>

int main(void)
{
    assert(sizeof(int) == 2 && sizeof(long) == 4 && sizeof(long long) == 8);
    assert(sizeof(void *) == 2 && sizeof(double) == 4 && sizeof(char) == 1);
    assert(-1 > 1u);
    assert(40000 > 0);
    return 0;
}
