// kripke: check --target msp430
// verdict: violated
// violates: overflow@12

#include <stdint.h>
uint8_t nondet_uchar(void);

int main(void)
{
    int16_t sum = 0;
    for (int i = 0; i < 3; i++)
        sum = sum * 256 + nondet_uchar();
    return sum == 0;
}
