// kripke: check
// verdict: holds
// Where a flag is set, the lowest bit of a wide number is set.
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);

static struct window {
    unsigned seen;
    _Bool known;
} windows[2];

int main(void) {
    for (;;) {
        struct window *window = &windows[__VERIFIER_nondet_uint() & 1];
        unsigned ahead = __VERIFIER_nondet_uint();
        if (!window->known || ahead > 3) {
            window->seen = window->known && ahead < 32 ? window->seen << ahead | 1 : 1;
            window->known = 1;
        }
        __VERIFIER_assert(!window->known || (window->seen & 1));
    }
}
