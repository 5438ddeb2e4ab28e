// kripke: check
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned count[4] = {0};
    for (int i = 0; i < 6; i++)
        count[nondet_uchar() & 3]++;
    assert(count[0] + count[1] + count[2] + count[3] == 6);
    return 0;
}
