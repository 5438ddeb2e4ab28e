// kripke: check --interrupt tick --check assertion,bounds
// verdict: holds
#include <assert.h>
static volatile unsigned char head, tail;
static unsigned char ring[8];
unsigned char __VERIFIER_nondet_uchar(void);
void receive(void)
{
}
void tick(void)
{
    unsigned char next = (unsigned char)((head + 1) & 7);
    if (next != tail) {
        ring[head] = __VERIFIER_nondet_uchar();
        head = next;
    }
}
int main(void)
{
    for (;;) {
        if (head != tail) {
            unsigned char byte = ring[tail];
            (void)byte;
            tail = (unsigned char)((tail + 1) & 7);
        }
        assert(tail < 8);
    }
}
