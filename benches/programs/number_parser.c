/* Parses an unknown text as a decimal number that saturates. */
#include <assert.h>
#ifndef N
#define N 5
#endif
#define LIMIT 9999
char __VERIFIER_nondet_char(void);

int main(void) {
    char text[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = 0;
    const char *at = text;
    int negative = 0, value = 0;
    if (*at == '-') {
        negative = 1;
        at++;
    }
    while (*at >= '0' && *at <= '9') {
        value = value * 10 + (*at - '0');
        if (value > LIMIT)
            value = LIMIT;
        at++;
    }
    if (negative)
        value = -value;
    assert(value >= -LIMIT && value <= LIMIT);
    assert(at - text <= N);
    return 0;
}
