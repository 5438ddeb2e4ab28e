// kripke: check
// verdict: violated
// violates: assertion@21
// As largest_of_all.c, but the first element is not looked at.
unsigned __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

static int samples[500];

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (count == 0 || count > 500 || at >= count)
        return 0;
    for (unsigned i = 0; i < count; i++)
        samples[i] = __VERIFIER_nondet_int();
    int largest = -1000;
    for (unsigned i = 1; i < count; i++)
        if (samples[i] > largest)
            largest = samples[i];
    __VERIFIER_assert(samples[at] <= largest);
}
