#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

unsigned counts(unsigned x, unsigned long long y) {
    return (unsigned)(__builtin_clz(x) + __builtin_ctz(x) + __builtin_popcount(x) + __builtin_ffs((int)x)
        + __builtin_clzll(y) + __builtin_popcountll(y) + __builtin_parity(x)) + __builtin_bswap32(x)
        + (unsigned)__builtin_bswap64(y) + __builtin_bswap16((unsigned short)x) + __builtin_bitreverse32(x)
        + __builtin_rotateleft32(x, 3) + __builtin_rotateright8((unsigned char)x, 2);
}

bool overflows(int a, int b, unsigned c, long long d) {
    int r;
    unsigned u;
    long long w;
    short s;
    return __builtin_add_overflow(a, b, &r) || __builtin_sub_overflow(c, 1u, &u)
        || __builtin_mul_overflow(d, d, &w) || __builtin_add_overflow(a, c, &s);
}

int misc(int x, const char *p) {
    if (__builtin_expect(x == 0, 0)) return 1;
    if (!__builtin_constant_p(x)) x++;
    __builtin_assume(x > 0);
    const char *aligned = __builtin_assume_aligned(p, 4);
    if (x == INT_MAX) __builtin_unreachable();
    if (x == 77) __builtin_trap();
    __builtin_prefetch(p);
    __builtin_memcpy((void *)p, aligned, 3);
    return (int)__builtin_object_size(p, 0) + _Generic(x, int: 3, default: 4)
        + __builtin_types_compatible_p(int, long) + (int)(size_t)__builtin_return_address(0)
        + __builtin_abs(x) + (int)__builtin_strlen(p) + (__builtin_frame_address(0) != 0);
}

int main(void) { return (int)counts(3, 4) + overflows(1, 2, 3, 4) + misc(1, "abcd"); }
