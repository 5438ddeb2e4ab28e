// kripke: check
// verdict: violated
// violates: assertion@14

#include <assert.h>

extern unsigned char calibration[4];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += calibration[i];
    assert(sum != 1020);
    return 0;
}
