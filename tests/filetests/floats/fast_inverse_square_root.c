// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
#include <string.h>

static float inverse_root(float x)
{
    float half = 0.5f * x;
    int32_t i;
    memcpy(&i, &x, 4);
    i = 0x5f3759df - (i >> 1);
    memcpy(&x, &i, 4);
    return x * (1.5f - half * x * x);
}

int main(void)
{
    float y = inverse_root(4.0f);
    assert(y > 0.499f && y < 0.501f);
    y = inverse_root(0.25f);
    assert(y > 1.99f && y < 2.01f);
    return 0;
}
