// mjson: N unknown characters are read as JSON; every token that is reported lies inside them and has LEAST
// of them. END zeros come after them, though mjson is given the length.
#include <assert.h>
#include "mjson.h"

char __VERIFIER_nondet_char(void);

static int token(int kind, const char *text, int offset, int length, void *data) {
    (void)kind, (void)text, (void)data;
    assert(offset >= 0 && length >= LEAST && offset + length <= N);
    return 0;
}

int main(void) {
    char text[N + END];
#if END
    text[N] = '\0';
#endif
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    int end = mjson(text, N, token, (void *)0);
    assert(end >= MJSON_ERROR_TOO_DEEP && end <= N);
    return 0;
}
