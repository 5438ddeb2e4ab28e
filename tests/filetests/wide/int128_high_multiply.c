// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>

static uint64_t high(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

int main(void)
{
    assert(high(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    assert(high(1ULL << 63, 4) == 2);
    return 0;
}
