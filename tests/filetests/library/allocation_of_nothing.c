// kripke: check --malloc-may-fail
// verdict: violated
// violates: assertion@10

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *nothing = malloc(0); assert(nothing);
    free(nothing);
    return 0;
}
