// kripke: check
// verdict: holds
// A receiver hands over as many bytes as a message says, up to a limit, and the whole of a large mailbox.
#include <assert.h>
#include <string.h>
unsigned nondet_unsigned(void);

static unsigned char message[1000];
static unsigned char mailbox[20000];

int main(void) {
    unsigned length = nondet_unsigned();
    if (length > sizeof message)
        return 0;
    memcpy(message, (const void *)0x40001000, length);
    memcpy(mailbox, (const void *)0x40010000, sizeof mailbox);
    assert(length > 700 || message[700] == 0);
    return 0;
}
