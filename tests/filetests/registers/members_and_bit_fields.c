// kripke: check
// verdict: violated
// violates: assertion@20
// prints: UART+

#include <assert.h>

struct uart {
    volatile unsigned data;
    volatile unsigned ready : 1, enable : 1;
};

extern struct uart UART[2];

int main(void)
{
    UART[1].enable = 1;
    UART[1].data = 7;
    assert(UART[1].ready <= 1);
    assert(UART[1].enable == 1);
    return 0;
}
