// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int value = 0;
    if (fread(&value, sizeof value, 1, stdin) == 0)
        assert(value == 0);
    return 0;
}
