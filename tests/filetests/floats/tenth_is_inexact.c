// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += 0.1;
    assert(sum != 1.0);
    assert(sum == 0.9999999999999999);
    float f = 0.1f;
    assert((double)f != 0.1);
    assert(f == (float)0.1);
    return 0;
}
