// kripke: check
// verdict: holds
// The bytes decide how deep the recursion is, and the loop after it never ends: the proof rests on an
// induction, and on calls that no run makes.
#include <assert.h>

char __VERIFIER_nondet_char(void);

static char text[4];
static int at;
static unsigned char steps;

static int value(int depth) {
    if (text[at] != '[')
        return text[at] == 'x' ? (at++, 1) : 0;
    at++;
    while (text[at] != ']')
        if (!value(depth + 1))
            return 0;
    at++;
    return 1;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    value(0);
    for (;;) {
        steps = (steps + 1) % 5;
        assert(steps < 5 && at <= 3);
    }
}
