// kripke: check --only-invariants
// verdict: holds
// A field of a message is read as a number whenever a comma ends it. It has room for nine digits, so that the
// number does not overflow: below ten to the power of how many were read.
char __VERIFIER_nondet_char(void);

static int number(const char *text, int length) {
    int value = 0;
    for (int i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            break;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

int main(void) {
    char field[9];
    unsigned char length = 0;
    for (;;) {
        char next = __VERIFIER_nondet_char();
        if (next == ',') {
            number(field, length);
            length = 0;
        } else if (length < sizeof field) {
            field[length++] = next;
        }
    }
}
