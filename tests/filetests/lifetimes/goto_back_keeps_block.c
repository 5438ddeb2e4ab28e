// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int *p = 0;
again:
    if (p) {
        assert(*p == 5);
        return 0;
    }
    int x = 5;
    p = &x;
    goto again;
}
