// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

static int find(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    static const int a[] = {2, 3, 5, 7, 11, 13};
    int key = nondet_int();
    int at = find(a, 6, key);
    assert(at == -1 || a[at] == key);
    if (key == 11)
        assert(at == 4);
    return 0;
}
