// kripke: check
// verdict: violated
// violates: library-contract@18

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

int main(void)
{
    int sorted[5] = {1, 3, 5, 7, 9}, key = 5;
    int *found = bsearch(&key, sorted, 5, sizeof *sorted, compare);
    /* The element in the middle is found at once; the array still has to have six (C11 7.22.5.1). */
    key = 7;
    return found != 0 && bsearch(&key, sorted, 6, sizeof *sorted, compare) != 0;
}
