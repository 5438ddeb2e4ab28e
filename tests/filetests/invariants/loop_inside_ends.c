// kripke: check
// verdict: holds
// How often the loop inside goes on is data, but it ends within one iteration of the endless one.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static unsigned char history[3];
static unsigned char next;

int main(void) {
    for (;;) {
        unsigned char value = __VERIFIER_nondet_uchar();
        history[next] = value < 100 ? value : 100;
        next = next == 2 ? 0 : next + 1;
        unsigned char sorted[3] = {history[0], history[1], history[2]};
        for (int i = 1; i < 3; i++)
            for (int j = i; j > 0 && sorted[j - 1] > sorted[j]; j--) {
                unsigned char other = sorted[j];
                sorted[j] = sorted[j - 1];
                sorted[j - 1] = other;
            }
        __VERIFIER_assert(sorted[0] <= sorted[1] && sorted[1] <= sorted[2]);
        __VERIFIER_assert(sorted[1] <= 100);
    }
}
