// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        int *p = &square;
        sum += *p;
    }
    assert(sum == 5);
    return 0;
}
