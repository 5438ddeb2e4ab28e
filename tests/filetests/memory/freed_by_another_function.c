// kripke: check
// verdict: violated
// violates: pointer@18

#include <stdlib.h>

static void release(int *p)
{
    if (*p > 3)
        free(p);
}

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 4;
    release(p);
    *p = 5;
    return 0;
}
