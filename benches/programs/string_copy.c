/* Copies an unknown string and compares it with the original. */
#include <assert.h>
#ifndef N
#define N 20
#endif
char __VERIFIER_nondet_char(void);

int main(void) {
    char text[N + 1], copy[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = 0;
    int length = 0;
    while (text[length])
        length++;
    assert(length <= N);
    char *to = copy;
    const char *from = text;
    while ((*to++ = *from++))
        ;
    for (int i = 0; i <= length; i++)
        assert(copy[i] == text[i]);
    return 0;
}
