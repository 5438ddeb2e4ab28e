// kripke: check
// verdict: violated
// violates: assertion@25
// As bit_under_a_flag.c, but the bit is lost when the number is one less than the largest.
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);

static struct window {
    unsigned newest, seen;
    _Bool known;
} windows[2];

int main(void) {
    for (;;) {
        struct window *window = &windows[__VERIFIER_nondet_uint() & 1];
        unsigned number = __VERIFIER_nondet_uint();
        if (!window->known || number > window->newest) {
            unsigned ahead = number - window->newest;
            window->seen = window->known && ahead < 32 ? window->seen << ahead | 1 : 1;
            window->newest = number;
            window->known = 1;
        } else if (window->newest == 0xfffffffe && window->newest != number) {
            window->seen <<= 1;
        }
        __VERIFIER_assert(!window->known || (window->seen & 1));
    }
}
