// kripke: check
// verdict: holds
// Bytes are taken from a buffer until none is left; then both the count and the index are zero again.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct {
    unsigned short count, index;
    unsigned char input[200];
} reader;

static void fill(unsigned char count) {
    for (unsigned char i = 0; i < count; i++)
        reader.input[i] = __VERIFIER_nondet_uchar();
    reader.count = count;
}

int main(void) {
    unsigned sum = 0;
    for (;;) {
        unsigned char count = __VERIFIER_nondet_uchar();
        if (reader.count == 0 && count <= sizeof reader.input)
            fill(count);
        while (reader.count != 0 && __VERIFIER_nondet_uchar() != 0) {
            __VERIFIER_assert(reader.index < reader.count);
            sum += reader.input[reader.index++];
            if (reader.index == reader.count)
                reader.index = reader.count = 0;
        }
    }
}
