// kripke: check
// verdict: holds
// A parser of nested brackets over three unknown bytes: no bound of its own, but the bytes end it.
#include <assert.h>

char __VERIFIER_nondet_char(void);

static char text[4];
static int at, deepest;

static int value(int depth) {
    if (depth > deepest)
        deepest = depth;
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
    assert(at <= 3 && deepest <= 3);
    return 0;
}
