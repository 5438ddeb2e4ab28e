// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    int y = x ?: 7;
    assert(y != 0 && (x == 0 ? y == 7 : y == x));
    return 0;
}
