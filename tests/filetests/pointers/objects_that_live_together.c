// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static int a[4], b[4];
int main(void)
{
    int local;
    int *p = malloc(8), *q = malloc(0), *r = malloc(0);
    assert(p != q && q != r && p != &local && &local != a);
    assert((uintptr_t)(a + 3) != (uintptr_t)b && a + 3 != b);
    assert((uintptr_t)p + 4 != (uintptr_t)a);
    assert((uintptr_t)&local != 0 && (uintptr_t)q != (uintptr_t)r);
    free(p);
    free(q);
    free(r);
    return 0;
}
