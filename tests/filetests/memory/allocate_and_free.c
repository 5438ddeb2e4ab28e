// kripke: check --check default,leak
// verdict: holds

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 5;
    assert(*p == 5);
    free(p);
    free(0);
    return 0;
}
