// kripke: check --unwind 3 --unwindset main.1=21
// verdict: holds

#include <assert.h>

int main(void)
{
    int a = 0, b = 0;
    for (int i = 0; i < 20; i++)
        a++;
    for (int i = 0; i < 2; i++)
        b++;
    assert(a == 20 && b == 2);
    return 0;
}
