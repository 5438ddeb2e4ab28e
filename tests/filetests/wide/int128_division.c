// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    __int128 a = (__int128)1 << 100;
    assert(a / 1024 == (__int128)1 << 90);
    assert(-a % 1000 == -(a % 1000));
    assert((long long)(a >> 60) == 1LL << 40);
    return 0;
}
