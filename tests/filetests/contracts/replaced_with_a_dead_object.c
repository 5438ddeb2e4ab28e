// kripke: check --replace-calls first
// verdict: unknown
// prints: a contract in the place of a call with a `values` that `first` is not checked with

#include <stdlib.h>

static int first(const int *values) __CPROVER_requires(values)
{
    return *values;
}

int main(void)
{
    int *values = malloc(sizeof *values);
    *values = 1;
    free(values);
    return first(values);
}
