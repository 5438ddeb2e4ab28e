#include <stdbool.h>
#include <stdint.h>

typedef int8_t small;
enum colour { RED, GREEN = -3, BLUE = 0x7fffffff };
enum big { LARGE = 0xffffffffffffULL };

static volatile uint8_t device;
const unsigned long long wide = 0xfedcba9876543210ULL;

__int128 widen(long long x) { return (__int128)x * x >> 3; }
unsigned __int128 unsigned_widen(unsigned long long x) { return (unsigned __int128)x / 10u % 7u; }

int arithmetic(int a, int b, unsigned c, small d, unsigned char e, short f, bool g, enum colour h) {
    int result = a + b - a * b;
    if (b != 0) result += a / b + a % b;
    if (c != 0u) result ^= (int)(c / 3u % c);
    result |= d << 2;
    result &= ~(e >> 1) | (f >> 3);
    result += g ? 1 : -1;
    result -= h == GREEN;
    result += !result + -result + +result;
    device = (uint8_t)result;
    device++;
    --device;
    device <<= 1;
    return result + device + (a < b) + (c <= 4u) + (a > b) + (c >= 2u) + (a != b) + (LARGE != 3);
}

bool logic(int a, int b) { return (a && b) || !(a | b) || (a ? b : 7); }

int main(void) { return arithmetic(1, 2, 3, 4, 5, 6, true, RED) + (int)widen(3) + logic(1, (int)unsigned_widen(9)); }
