// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned n = 7, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    assert(steps == 16);
    return 0;
}
