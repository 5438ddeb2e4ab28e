// kripke: check
// verdict: violated
// violates: assertion@14

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int i;
    for (i = 0; i < 6; i++)
        if (nondet_int() == 42)
            break;
    assert(i < 6);
    return 0;
}
