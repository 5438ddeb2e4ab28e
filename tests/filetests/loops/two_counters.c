// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int up = 0;
    for (int i = 0, j = 10; i < j; i++, j--)
        up++;
    assert(up == 5);
    return 0;
}
