// kripke: check
// verdict: holds

#include <assert.h>
#include <stdbool.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    bool b = x;
    assert(b == (x != 0));
    assert(b == 0 || b == 1);
    b = 256;
    assert(b == 1);
    b = 0.5;
    assert(b);
    return 0;
}
