// kripke: check --only-invariants
// verdict: holds
// Two loops go on, one after the other, from a place in a text that is known as a pointer only: that the
// second has not gone back needs what the first one says of its own pointer.
int __VERIFIER_nondet_int(void);
char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);

static int is_digit(int c) { return c >= '0' && c <= '9'; }

int main(void) {
    char text[11];
    for (int i = 0; i < 10; i++)
        text[i] = __VERIFIER_nondet_char();
    text[10] = 0;
    int start = __VERIFIER_nondet_int();
    if (start < 0 || start > 9)
        return 0;
    const char *first = &text[start], *next = first;
    while (*next && is_digit(*next))
        next++;
    if (*next == '.')
        next++;
    while (is_digit(*next))
        next++;
    __VERIFIER_assert(next >= first);
    return 0;
}
