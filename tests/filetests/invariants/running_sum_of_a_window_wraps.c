// kripke: check
// verdict: violated
// violates: assertion@20
// As running_sum_of_a_window.c, but what is replaced is taken off after the index has moved on.
unsigned short __VERIFIER_nondet_ushort(void);
void __VERIFIER_assert(int);

static unsigned short window[3], sum;
static unsigned char at;

int main(void) {
    for (;;) {
        unsigned short sample = __VERIFIER_nondet_ushort();
        if (sample > 0x0fff)
            sample = 0x0fff;
        sum += sample;
        window[at] = sample;
        at = (at + 1) % 3;
        sum -= window[at] & 0x07ff;
        __VERIFIER_assert(sum <= 3 * 0x0fff);
    }
}
