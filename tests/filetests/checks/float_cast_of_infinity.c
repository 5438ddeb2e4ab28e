// kripke: check
// verdict: violated
// violates: float-cast@13

#include <math.h>
float nondet_float(void);

int main(void)
{
    float ratio = 1 / nondet_float();
    if (isnan(ratio) || ratio < 1e6f)
        return 0;
    return (long long)ratio > 5;
}
