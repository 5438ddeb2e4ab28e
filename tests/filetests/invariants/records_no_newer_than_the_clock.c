// kripke: check
// verdict: holds
// No element of an array is above a variable that only grows.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static struct record {
    unsigned time;
    unsigned char code;
} records[6];
static unsigned now;

int main(void) {
    for (;;) {
        if (now < 0xffffffff)
            now++;
        unsigned char input = __VERIFIER_nondet_uchar();
        if (input & 0x80) {
            records[input % 6].time = now;
            records[input % 6].code = input;
        }
        __VERIFIER_assert(records[__VERIFIER_nondet_uchar() % 6].time <= now);
    }
}
