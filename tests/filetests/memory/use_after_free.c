// kripke: check
// verdict: violated
// violates: pointer@12

#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 5;
    free(p);
    return *p;
}
