// kripke: check --all
// verdict: violated
// violates: assertion@12
// violates: assertion@13

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *p = realloc(malloc(4), 0);
    if (p == NULL) assert(0);
    else assert(0);
    return 0;
}
