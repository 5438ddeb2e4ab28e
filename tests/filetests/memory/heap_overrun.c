// kripke: check
// verdict: violated
// violates: pointer@12

#include <stdlib.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint() % 8 + 1;
    char *p = malloc(n);
    p[n] = 0;
    free(p);
    return 0;
}
