// kripke: check
// verdict: violated
// violates: pointer@12

#include <string.h>
unsigned nondet_uint(void);

int main(void)
{
    char from[16] = {0}, to[8];
    unsigned n = nondet_uint() % 17;
    memcpy(to, from, n);
    return 0;
}
