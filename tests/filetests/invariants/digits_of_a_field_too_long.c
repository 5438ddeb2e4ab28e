// kripke: check
// verdict: violated
// violates: overflow@15
// As digits_of_a_short_field.c, but there is room for ten digits, of which the last makes the number
// overflow.
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);

static int number(const char *text, int length) {
    int value = 0;
    for (int i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            break;
        int digit = text[i] - '0';
        value = value * 10 + digit;
    }
    return value;
}

int main(void) {
    for (;;) {
        char field[10];
        for (int i = 0; i < 10; i++)
            field[i] = __VERIFIER_nondet_char();
        number(field, __VERIFIER_nondet_uchar() % 11);
    }
}
