// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int a[5];
    for (int i = 0; i < 5; i++)
        a[i] = nondet_int();
    int max = a[0];
    for (int i = 1; i < 5; i++)
        if (a[i] > max)
            max = a[i];
    int found = 0;
    for (int i = 0; i < 5; i++) {
        assert(a[i] <= max);
        found |= a[i] == max;
    }
    assert(found);
    return 0;
}
