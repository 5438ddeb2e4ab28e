// kripke: check --timeout 30s
// verdict: violated
// violates: assertion@27
// A `continue` between declarations leaves a switch whose default only aborts: no way to end the loop. That
// it is excluded does not mean that constants decide how often the loop runs.
void __VERIFIER_assert(int);
unsigned __VERIFIER_nondet_uint(void);

static struct window {
    unsigned samples[6], sum, at;
} pressure, flow;

int main(void) {
    for (;;) {
        unsigned input = __VERIFIER_nondet_uint();
        struct window *window = input & 1 ? &pressure : &flow;
        if (input >= 250) {
            window->sum = window->at = 0;
            continue;
        }
        unsigned sample = __VERIFIER_nondet_uint();
        if (sample > 1000)
            continue;
        window->sum += sample - window->samples[window->at];
        window->samples[window->at] = sample;
        window->at = (window->at + 1) % 6;
        __VERIFIER_assert(window->sum < 1500);
    }
}
