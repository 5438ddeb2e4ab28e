// kripke: check
// verdict: violated
// violates: overflow@11

#include <limits.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    x--;
    return x == INT_MAX;
}
