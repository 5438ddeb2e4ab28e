// kripke: check --malloc-may-fail
// verdict: holds

#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    return 0;
}
