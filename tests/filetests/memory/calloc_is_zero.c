// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>
unsigned nondet_uint(void);

int main(void)
{
    int *p = calloc(10, sizeof *p);
    assert(p[nondet_uint() % 10] == 0);
    free(p);
    return 0;
}
