// kripke: check --all
// verdict: violated
// violates: assertion@16
// violates: division-by-zero@18
// violates: bounds@20
// violates: shift@22

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int(), y = nondet_int();
    int a[4] = {0};
    if (x == 1)
        assert(y != 5);
    if (x == 2)
        return 10 / y;
    if (x == 3)
        return a[y & 7];
    if (x == 4)
        return y << 1;
    return 0;
}
