// kripke: check
// verdict: violated
// violates: overflow@10

#include <stdlib.h>
int nondet_int(void);

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int a[2] = {nondet_int(), nondet_int()};
    qsort(a, 2, sizeof a[0], compare);
    return 0;
}
