// kripke: check --check leak
// verdict: violated
// violates: main.leak.1

#include <stdlib.h>

int main(void)
{
    char *p = malloc(1);
    p = malloc(2);
    free(p);
    return 0;
}
