// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int wide = nondet_int();
    short narrow = (short)wide;
    assert(narrow == wide);
    return 0;
}
