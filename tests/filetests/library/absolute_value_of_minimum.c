// kripke: check
// verdict: violated
// violates: library-contract@11

#include <stdlib.h>
int nondet_int(void);

int main(void)
{
    int (*volatile magnitude)(int) = abs;
    return magnitude(nondet_int()) < 0;
}
