// kripke: check
// verdict: violated
// violates: assertion@19

#include <assert.h>
#include <stdlib.h>

struct entry { int key, value; };

static int compare(const void *a, const void *b)
{
    return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

int main(void)
{
    struct entry entries[3] = {{1, 1}, {1, 2}, {0, 3}};
    qsort(entries, 3, sizeof entries[0], compare);
    assert(entries[1].value == 1);
    return 0;
}
