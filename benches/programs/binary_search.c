/* Binary search for an unknown key in N ordered numbers. */
#include <assert.h>
#ifndef N
#define N 16
#endif
int __VERIFIER_nondet_int(void);

static int data[N];

int main(void) {
    for (int i = 0; i < N; i++)
        data[i] = 3 * i;
    int key = __VERIFIER_nondet_int();
    int low = 0, high = N - 1, found = -1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (data[middle] == key) {
            found = middle;
            break;
        }
        if (data[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    if (key >= 0 && key < 3 * N && key % 3 == 0)
        assert(found == key / 3);
    else
        assert(found == -1);
    return 0;
}
