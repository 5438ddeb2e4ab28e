// kripke: check
// verdict: violated
// violates: assertion@25
// The same, but a count that is made smaller meanwhile: the index is no longer below it.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct {
    unsigned short count, index;
    unsigned char input[200];
} reader;

int main(void) {
    unsigned sum = 0;
    for (;;) {
        unsigned char count = __VERIFIER_nondet_uchar();
        if (reader.count == 0 && count <= sizeof reader.input)
            reader.count = count;
        if (reader.count > 2 && count == 9)
            reader.count--;
        while (reader.count != 0 && __VERIFIER_nondet_uchar() != 0) {
            sum += reader.input[reader.index++];
            if (reader.index == reader.count)
                reader.index = reader.count = 0;
            __VERIFIER_assert(reader.index <= reader.count && reader.index < 150);
        }
    }
}
