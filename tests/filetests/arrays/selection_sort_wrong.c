// kripke: check
// verdict: violated
// violates: assertion@23

#include <assert.h>
int nondet_int(void);
#define N 4

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = nondet_int();
    for (int i = 0; i < N - 1; i++) {
        int least = i;
        for (int j = i + 1; j < N - 1; j++)
            if (a[j] < a[least])
                least = j;
        int t = a[i];
        a[i] = a[least];
        a[least] = t;
    }
    assert(a[N - 2] <= a[N - 1]);
    return 0;
}
