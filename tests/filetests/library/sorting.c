// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>
int nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int a[4] = {nondet_int(), nondet_int(), nondet_int(), nondet_int()};
    qsort(a, 4, sizeof a[0], compare);
    assert(a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3]);
    int key = a[2];
    int *found = bsearch(&key, a, 4, sizeof a[0], compare);
    assert(found && *found == key);
    return 0;
}
