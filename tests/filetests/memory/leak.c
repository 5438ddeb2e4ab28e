// kripke: check --check leak
// verdict: violated
// violates: main.leak.1

#include <stdlib.h>
_Bool nondet_bool(void);

int main(void)
{
    char *p = malloc(10);
    if (nondet_bool())
        return 1;
    free(p);
    return 0;
}
