// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int n = 0;
    do {
        n++;
    } while (n < 0);
    assert(n == 1);
    do
        n--;
    while (n > -5);
    assert(n == -5);
    return 0;
}
