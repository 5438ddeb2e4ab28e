// kripke: check --check none
// verdict: violated
// ltl: p: G {values[0] <= values[1]}
// violates: p

#include <stdlib.h>
static int values[2] = {1, 2};
static int backwards(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}
int main(void)
{
    qsort(values, 2, sizeof(int), backwards);
    return 0;
}
