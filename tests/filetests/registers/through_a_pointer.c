// kripke: check
// verdict: violated
// violates: assertion@17

#include <assert.h>

extern volatile unsigned char PORT;

static int twice(volatile unsigned char *port)
{
    unsigned char first = *port;
    return first == *port;
}

int main(void)
{
    assert(twice(&PORT));
    return 0;
}
