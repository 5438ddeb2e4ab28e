// nanoprintf: any format of N characters that print integers (flags, widths, precisions) on unknown numbers
// and a buffer of 8 bytes: what is printed ends inside the buffer.
#include <assert.h>
#define NANOPRINTF_USE_FIELD_WIDTH_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_PRECISION_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_FLOAT_FORMAT_SPECIFIERS 0
#define NANOPRINTF_USE_LARGE_FORMAT_SPECIFIERS 0
#define NANOPRINTF_USE_SMALL_FORMAT_SPECIFIERS 1
#define NANOPRINTF_USE_BINARY_FORMAT_SPECIFIERS 0
#define NANOPRINTF_USE_WRITEBACK_FORMAT_SPECIFIERS 0
#define NANOPRINTF_USE_ALT_FORM_FLAG 1
#define NANOPRINTF_USE_FLOAT_SINGLE_PRECISION 0
#define NANOPRINTF_IMPLEMENTATION
#include "nanoprintf.h"

#define ROOM 8

char __VERIFIER_nondet_char(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int is_of_integers(char letter) {
    switch (letter) {
    case '%': case ' ': case '+': case '-': case '#': case '.': case 'h': case 'd': case 'i':
    case 'u': case 'x': case 'X': case 'o': case 'c':
        return 1;
    default:
        return letter >= '0' && letter <= '9';
    }
}

int main(void) {
    char format[N + 1], text[ROOM];
    for (int i = 0; i < N; i++) {
        format[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(is_of_integers(format[i]));
    }
    format[N] = '\0';
    int length = npf_snprintf(text, ROOM, format, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    assert(length >= 0);
    assert(length < ROOM ? text[length] == '\0' : text[ROOM - 1] == '\0');
    return 0;
}
