// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int a = 1, b = 0;
    while (1) {
        int t = a;
        a = b;
        b = t;
        assert(a + b == 1);
        assert(a == 0 || a == 1);
    }
}
