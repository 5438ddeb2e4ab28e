// kripke: check
// verdict: violated
// violates: assertion@14
// An object that only this program writes keeps its value, volatile or not; a device register does not.

#include <assert.h>

#define STATUS (*(volatile unsigned char *)0x25)

int main(void)
{
    unsigned char first = STATUS;
    unsigned char second = STATUS;
    assert(first == second);
    return 0;
}
