// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    char a[] = "hi", b[2] = "hi", c[5] = "hi";
    assert(sizeof a == 3 && a[2] == 0);
    assert(b[1] == 'i');
    assert(c[3] == 0 && c[4] == 0);
    return 0;
}
