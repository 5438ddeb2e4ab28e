// kripke: check
// verdict: violated
// violates: assertion@16

#include <assert.h>
#include <string.h>

extern volatile unsigned char FIFO[4];

int main(void)
{
    unsigned char a[4], b[4];
    FIFO[0] = 1;
    memcpy(a, (const void *)FIFO, 4);
    memcpy(b, (const void *)FIFO, 4);
    assert(a[3] == b[3]);
    return 0;
}
