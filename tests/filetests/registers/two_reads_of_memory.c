// kripke: check --volatile memory
// verdict: holds

#include <assert.h>

extern volatile unsigned char REG;

int main(void)
{
    unsigned char x = REG, y = REG;
    assert(x == y);
    REG = 3;
    assert(REG == 3);
    return 0;
}
