// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *a = getenv("A"), *b = getenv("B");
    if (a != NULL && b != NULL)
        assert(a[0] == b[0]);
    return 0;
}
