// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

static int days(int month)
{
    switch (month) {
    case 2:
        return 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

int main(void)
{
    int total = 0;
    for (int m = 1; m <= 12; m++)
        total += days(m);
    assert(total == 365);
    int d = days(nondet_int());
    assert(d == 28 || d == 30 || d == 31);
    return 0;
}
