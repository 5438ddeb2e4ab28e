// kripke: check
// verdict: holds
// A function of the program goes before the library's of the same name.

#include <assert.h>

int ffs(int x)
{
    return x + 100;
}

long random(void)
{
    return 4;
}

int main(void)
{
    assert(ffs(1) == 101);
    assert(random() == 4);
    return 0;
}
