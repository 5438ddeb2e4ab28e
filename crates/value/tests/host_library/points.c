/* Prints random calls of functions of analysis: name, format, bits of the arguments and of the result. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Small numbers, whole numbers, numbers of any magnitude. */
static double number(void)
{
    double fraction = (double)(bits() >> 11) / 9007199254740992.0;
    switch (bits() % 4) {
    case 0: return fraction * 2 - 1;
    case 1: return fraction * 40 - 20;
    case 2: return (double)(bits() % 41) - 20;
    default: return ldexp(fraction + 1, (int)(bits() % 600) - 300) * (bits() & 1 ? 1 : -1);
    }
}

static void print(const char *name, double x, double y, double result)
{
    uint64_t words[3];
    memcpy(words, (double[]){x, y, result}, sizeof words);
    printf("%s double %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", name, words[0], words[1], words[2]);
}

static void print_float(const char *name, float x, float y, float result)
{
    uint32_t words[3];
    memcpy(words, (float[]){x, y, result}, sizeof words);
    printf("%s float %" PRIx32 " %" PRIx32 " %" PRIx32 "\n", name, words[0], words[1], words[2]);
}

#define ONE(name)                                                                                         \
    {                                                                                                     \
        double x = number();                                                                              \
        float a = (float)x;                                                                               \
        print(#name, x, 0, name(x));                                                                      \
        print_float(#name, a, 0, name##f(a));                                                             \
    }
#define TWO(name)                                                                                         \
    {                                                                                                     \
        double x = number(), y = number();                                                                \
        float a = (float)x, b = (float)y;                                                                 \
        print(#name, x, y, name(x, y));                                                                   \
        print_float(#name, a, b, name##f(a, b));                                                          \
    }

double exp10(double);
float exp10f(float);

int main(int count, char **arguments)
{
    int points = count > 1 ? atoi(arguments[1]) : 10;
    for (int i = 0; i < points; i++) {
        ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
        ONE(asinh) ONE(acosh) ONE(atanh) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2)
        ONE(log10) ONE(log1p) ONE(cbrt) ONE(erf) ONE(erfc) ONE(tgamma) TWO(atan2) TWO(pow) TWO(hypot)
    }
    return 0;
}
