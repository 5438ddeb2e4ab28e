// kripke: check
// verdict: holds
// A hundred bytes are moved about that decide nothing: invariants are looked for where they matter only.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static unsigned char message[64], sent[64];
static unsigned char expected, got, receiving;

int main(void) {
    for (;;) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        if (!receiving) {
            receiving = byte >= 8 && byte <= 64;
            expected = byte;
            got = 0;
            continue;
        }
        message[got++] = byte;
        __VERIFIER_assert(got <= 64);
        if (got < expected)
            continue;
        for (int i = 0; i < 64; i++)
            sent[i] = message[i];
        receiving = 0;
    }
}
