// kripke: check
// verdict: violated
// violates: uninitialised@11

#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    p[0] = p[1] = 1;
    int r = p[0] + p[2];
    free(p);
    return r;
}
