// kripke: check
// verdict: violated
// violates: free@13

#include <stdlib.h>
_Bool nondet_bool(void);

int main(void)
{
    char *p = malloc(10);
    if (nondet_bool())
        free(p);
    free(p);
    return 0;
}
