// kripke: check
// verdict: violated
// violates: assertion@23
// The same handshake, but the sender does not wait until the receiver is back.

#include <assert.h>
unsigned char nondet_uchar(void);
static unsigned char sender, receiver, tokens;

int main(void)
{
    for (;;) {
        unsigned char who = nondet_uchar() & 1;
        if (who == 0) {
            if (sender == 0) { sender = 1; tokens++; }
            else if (sender == 1 && receiver == 2) sender = 2;
            else if (sender == 2) sender = 0;
        } else {
            if (receiver == 0 && sender == 1) receiver = 1;
            else if (receiver == 1) { receiver = 2; tokens--; }
            else if (receiver == 2 && sender == 2) receiver = 0;
        }
        assert(tokens <= 1);
        assert(!(sender == 2 && receiver == 1));
    }
}
