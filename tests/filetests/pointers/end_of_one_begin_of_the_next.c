// kripke: check --all
// verdict: violated
// violates: assertion@10
// violates: assertion@12

#include <assert.h>
static int a[4], b[4];
int main(void)
{
    assert(a + 4 != b);
    int *end = b + 4;
    assert(end != a);
    return 0;
}
