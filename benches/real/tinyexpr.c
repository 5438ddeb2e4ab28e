// tinyexpr: any expression of N characters is compiled, evaluated where it is one, and freed.
#include <assert.h>
#include <stddef.h>
#include "tinyexpr.h"

char __VERIFIER_nondet_char(void);

int main(void) {
    char text[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    int error;
    te_expr *expression = te_compile(text, NULL, 0, &error);
    assert((expression != NULL) == (error == 0));
    assert(error >= 0 && error <= N + 1);
    te_eval(expression);
    te_free(expression);
    return 0;
}
