// kripke: check
// verdict: violated
// violates: overflow@10

#include <limits.h>

int main(void)
{
    int ticks = INT_MAX;
    ticks++;
    return ticks < 0;
}
