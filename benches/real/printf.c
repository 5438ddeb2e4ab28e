// printf: any format of N characters that print integers (flags, widths, precisions) on unknown numbers and a
// buffer of 8 bytes: what is printed ends inside the buffer, and the length that is returned tells where.
// After the format there are ZEROS zeros; the numbers are LOWEST or more.
#include <assert.h>
#include <limits.h>
#include "printf.h"

#define ROOM 8

char __VERIFIER_nondet_char(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

void _putchar(char character) {
    (void)character;
}

static int number(void) {
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= LOWEST);
    return value;
}

static int is_of_integers(char letter) {
    switch (letter) {
    case '%': case ' ': case '+': case '-': case '#': case '.': case 'h': case 'd': case 'i':
    case 'u': case 'x': case 'X': case 'o': case 'b': case 'c':
        return 1;
    default:
        return letter >= '0' && letter <= '9';
    }
}

int main(void) {
    char format[N + ZEROS] = "", text[ROOM];
    for (int i = 0; i < N; i++) {
        format[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(is_of_integers(format[i]));
    }
    int length = snprintf_(text, ROOM, format, number(), number());
    assert(length >= 0);
    if (length >= ROOM)
        assert(text[ROOM - 1] == '\0');
    else
        assert(text[length] == '\0');
    return 0;
}
