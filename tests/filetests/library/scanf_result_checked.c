// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int speed;
    if (scanf("%d", &speed) == 1)
        assert(speed != 99);
    return 0;
}
