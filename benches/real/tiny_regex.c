// tiny-regex-c: any pattern of N characters is looked for in any text of N; what is found lies inside it.
#include <assert.h>
#include "re.h"

char __VERIFIER_nondet_char(void);

int main(void) {
    char pattern[N + 1], text[N + 1];
    for (int i = 0; i < N; i++) {
        pattern[i] = __VERIFIER_nondet_char();
        text[i] = __VERIFIER_nondet_char();
    }
    pattern[N] = text[N] = '\0';
    int length = 0;
    int place = re_match(pattern, text, &length);
    assert(place >= -1 && place <= N);
    if (place >= 0)
        assert(length >= 0 && place + length <= N);
    return 0;
}
