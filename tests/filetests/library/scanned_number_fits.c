// kripke: check
// verdict: holds

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int least = 0;
    unsigned int greatest = 0;
    signed char small = 0;
    assert(sscanf("-2147483648 ffffffff -128", "%d %x %hhd", &least, &greatest, &small) == 3);
    assert(least == -2147483647 - 1 && greatest == 4294967295u && small == -128);
    return 0;
}
