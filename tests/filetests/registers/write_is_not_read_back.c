// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>

extern volatile unsigned REG;

int main(void)
{
    REG = 5;
    assert(REG == 5);
    return 0;
}
