// kripke: check --check assertion
// verdict: holds
// Bytes of a structure are written one by one, those of a buffer only: the count behind it stays.
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_assert(int);

static struct {
    unsigned char data[300];
    unsigned short count;
} record;

int main(void) {
    unsigned char *bytes = (unsigned char *)&record;
    record.count = 7;
    for (;;) {
        unsigned short place = __VERIFIER_nondet_ushort();
        if (place >= sizeof record.data)
            return 0;
        bytes[place] = 1;
        __VERIFIER_assert(record.count == 7);
    }
}
