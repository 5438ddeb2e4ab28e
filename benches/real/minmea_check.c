// minmea: of all strings of up to N characters, the strict minmea_check accepts only some with a $ and a *,
// and all that it accepts are accepted where it is not strict.
#include <assert.h>
#include <string.h>
#include "minmea.h"

char __VERIFIER_nondet_char(void);

int main(void) {
    char text[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    if (minmea_check(text, true)) {
        assert(text[0] == '$');
        assert(strchr(text, '*') != NULL);
        assert(minmea_check(text, false));
    }
    return 0;
}
