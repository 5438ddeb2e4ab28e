/* Reverses a buffer of unknown characters twice. */
#include <assert.h>
#ifndef N
#define N 20
#endif
char __VERIFIER_nondet_char(void);

static void reverse(char *text, int length) {
    for (int i = 0, j = length - 1; i < j; i++, j--) {
        char swap = text[i];
        text[i] = text[j];
        text[j] = swap;
    }
}

int main(void) {
    char text[N], original[N];
    for (int i = 0; i < N; i++)
        original[i] = text[i] = __VERIFIER_nondet_char();
    reverse(text, N);
    assert(text[0] == original[N - 1]);
    reverse(text, N);
    for (int i = 0; i < N; i++)
        assert(text[i] == original[i]);
    return 0;
}
