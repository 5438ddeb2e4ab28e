// kripke: check --malloc-may-fail
// verdict: violated
// violates: pointer@10

#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
