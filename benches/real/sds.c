// sds: N unknown characters are appended to themselves and cut to an unknown range; lengths stay right.
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "sds.h"

char __VERIFIER_nondet_char(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    char text[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    sds string = sdsnew(text);
    if (string == NULL)
        return 0;
    assert(sdslen(string) == strlen(text));
    string = sdscat(string, text);
    if (string == NULL)
        return 0;
    assert(sdslen(string) == 2 * strlen(text));
    int from = __VERIFIER_nondet_int();
    sdsrange(string, from, __VERIFIER_nondet_int());
    assert(sdslen(string) <= 2 * N);
    assert(string[sdslen(string)] == '\0');
    sdsfree(string);
    return 0;
}
