// kripke: check
// verdict: holds

#include <assert.h>
float nondet_float(void);

int main(void)
{
    float a = nondet_float(), b = nondet_float();
    if (a >= 0 && a <= b && b <= 1000) {
        float middle = (a + b) / 2;
        assert(a <= middle && middle <= b);
    }
    return 0;
}
