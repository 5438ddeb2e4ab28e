// kripke: check
// verdict: violated
// violates: pointer@13

#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    int *old = p;
    p = realloc(p, 100);
    int r = *old;
    free(p);
    return r;
}
