// kripke: check
// verdict: violated
// violates: assertion@22
// As loop_inside_ends.c, but the least of three values only comes to the middle.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static unsigned char history[3];
static unsigned char next;

int main(void) {
    for (;;) {
        history[next] = __VERIFIER_nondet_uchar();
        next = next == 2 ? 0 : next + 1;
        unsigned char sorted[3] = {history[0], history[1], history[2]};
        for (int i = 1; i < 3; i++)
            for (int j = i; j > i - 1 && sorted[j - 1] > sorted[j]; j--) {
                unsigned char other = sorted[j];
                sorted[j] = sorted[j - 1];
                sorted[j - 1] = other;
            }
        __VERIFIER_assert(sorted[0] <= sorted[1]);
    }
}
