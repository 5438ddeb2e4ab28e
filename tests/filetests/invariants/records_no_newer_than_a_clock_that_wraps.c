// kripke: check
// verdict: violated
// violates: assertion@23
// As records_no_newer_than_the_clock.c, but the clock begins anew.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct record {
    unsigned time;
    unsigned char code;
} records[6];
static unsigned now = 0xfffffffc;

int main(void) {
    for (;;) {
        now++;
        unsigned char input = __VERIFIER_nondet_uchar();
        if (input & 0x80) {
            records[input % 6].time = now;
            records[input % 6].code = input;
        }
        unsigned char which = __VERIFIER_nondet_uchar() % 6;
        __VERIFIER_assert(records[which].time <= now);
    }
}
