// kripke: check
// verdict: holds
// prints: names as a number is a register

#include <assert.h>

#define PORT (*(volatile unsigned char *)0x25)

int main(void)
{
    unsigned char shadow = 0;
    for (int i = 0; i < 4; i++) {
        shadow |= (unsigned char)(1 << i);
        PORT = shadow;
        PORT &= (unsigned char)~1;
    }
    assert(shadow == 15);
    return 0;
}
