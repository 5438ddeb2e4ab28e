// kripke: check
// verdict: holds
// A message of unknown length is put behind a header and moved by one, in an object of wider elements.
#include <assert.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);

static unsigned words[300];
static unsigned char message[1000];

int main(void) {
    unsigned length = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    unsigned index = __VERIFIER_nondet_uint();
    if (length > sizeof message || index >= 300 || at >= 300)
        return 0;
    words[index] = 0x01020304;
    message[7] = 9;
    memcpy((unsigned char *)words + 4, message, length);
    unsigned char *bytes = (unsigned char *)words;
    if (length > 7)
        assert(bytes[11] == 9);
    if (length <= 7 && index != 2)
        assert(bytes[11] == 0);
    if (index == 0)
        assert(words[0] == 0x01020304);
    if (index * 4 >= 4 + length && index > 0)
        assert(words[index] == 0x01020304);
    memmove(bytes + 5, bytes + 4, length);
    if (length > 7)
        assert(bytes[12] == 9);
    return 0;
}
