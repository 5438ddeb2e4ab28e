// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned n = 0;
    while (1) {
        n = n == 9 ? 0 : n + 1;
        assert(n < 10);
    }
}
