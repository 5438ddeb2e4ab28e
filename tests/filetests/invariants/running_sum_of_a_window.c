// kripke: check
// verdict: holds
// What is replaced at an index that goes round is taken from a running sum: it stays the sum of the window.
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_assert(int);

static unsigned short window[6], sum;
static unsigned char at;

int main(void) {
    for (;;) {
        unsigned short sample = __VERIFIER_nondet_ushort() & 0x0fff;
        sum -= window[at];
        sum += sample;
        window[at] = sample;
        at = (at + 1) % 6;
        __VERIFIER_assert(window[at] <= 0x0fff);
        __VERIFIER_assert(sum <= 6 * 0x0fff);
        __VERIFIER_assert(sum >= sample);
    }
}
