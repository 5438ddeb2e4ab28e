// kripke: check --check assertion
// verdict: violated
// violates: assertion@20
// Bytes of a structure are written one by one: what is beside the buffer is written with them.
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_assert(int);

static struct {
    unsigned char data[300];
    unsigned short count;
} record;

int main(void) {
    unsigned char *bytes = (unsigned char *)&record;
    for (;;) {
        unsigned short place = __VERIFIER_nondet_ushort();
        if (place >= sizeof record)
            return 0;
        bytes[place] = 1;
        __VERIFIER_assert(record.count < 257);
    }
}
