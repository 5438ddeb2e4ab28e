// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    div_t d = div(-7, 2);
    assert(d.quot == -3 && d.rem == -1);
    ldiv_t l = ldiv(100000L, 7L);
    assert(l.quot == 14285 && l.rem == 5);
    assert(labs(-5L) == 5 && llabs(-5LL) == 5);
    return 0;
}
