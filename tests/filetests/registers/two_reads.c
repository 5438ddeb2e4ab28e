// kripke: check
// verdict: violated
// violates: assertion@13
// prints: REG

#include <assert.h>

extern volatile unsigned char REG;

int main(void)
{
    unsigned char x = REG, y = REG;
    assert(x == y);
    return 0;
}
