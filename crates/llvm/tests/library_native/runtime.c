/* The intrinsics of the models for a native run: an unknown value is the one that the real library
 * produced, and an assumption that does not hold is a model that excludes what really happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

double true_double;
float true_float;
long double true_long_double;
long long true_integer;
int excluded, broken_contract, unknowns;

void __kripke_assert(int condition, const char *message)
{
    (void)message;
    if (!condition)
        broken_contract = 1;
}

void __kripke_assume(int condition)
{
    if (!condition)
        excluded = 1;
}

/* The driver passes distinct objects only. */
size_t __kripke_object_size(const void *pointer) { (void)pointer; return 0; }
size_t __kripke_pointer_offset(const void *pointer) { (void)pointer; return 0; }
int __kripke_same_object(const void *a, const void *b) { return a == b; }

#define UNKNOWN(name, type, value)                                                                        \
    type __kripke_nondet_##name(const char *source)                                                       \
    {                                                                                                     \
        (void)source;                                                                                     \
        unknowns++;                                                                                       \
        return value;                                                                                     \
    }

UNKNOWN(bool, _Bool, true_integer != 0)
UNKNOWN(char, char, (char)true_integer)
UNKNOWN(schar, signed char, (signed char)true_integer)
UNKNOWN(uchar, unsigned char, (unsigned char)true_integer)
UNKNOWN(short, short, (short)true_integer)
UNKNOWN(ushort, unsigned short, (unsigned short)true_integer)
UNKNOWN(int, int, (int)true_integer)
UNKNOWN(uint, unsigned int, (unsigned int)true_integer)
UNKNOWN(long, long, (long)true_integer)
UNKNOWN(ulong, unsigned long, (unsigned long)true_integer)
UNKNOWN(llong, long long, true_integer)
UNKNOWN(ullong, unsigned long long, (unsigned long long)true_integer)
UNKNOWN(size, size_t, (size_t)true_integer)
UNKNOWN(float, float, true_float)
UNKNOWN(double, double, true_double)
UNKNOWN(ldouble, long double, true_long_double)

/* The models of these call themselves with a positive argument, and put the sign on the result. */
static int takes_a_magnitude(const char *function)
{
    return strcmp(function, "pow") == 0 || strcmp(function, "cbrt") == 0;
}

#define MATH(name, type, value)                                                                           \
    type __kripke_math_##name(const char *function, type x, type y)                                       \
    {                                                                                                     \
        (void)x, (void)y;                                                                                 \
        unknowns++;                                                                                       \
        return takes_a_magnitude(function) && value < 0 ? -value : value;                                    \
    }

MATH(float, float, true_float)
MATH(double, double, true_double)
MATH(ldouble, long double, true_long_double)

void __kripke_havoc(void *pointer, size_t size, const char *source)
{
    (void)source;
    memset(pointer, 'x', size);
}

static unsigned long long state = 1;

unsigned long long random_bits(void)
{
    unsigned long long z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

unsigned int below(unsigned int limit)
{
    return (unsigned int)(random_bits() % limit);
}

void random_text(char *text, const char *alphabet, unsigned int longest)
{
    unsigned int length = below(longest + 1), letters = (unsigned int)strlen(alphabet);
    for (unsigned int i = 0; i < length; i++)
        text[i] = alphabet[below(letters)];
    text[length] = '\0';
}

static int failures;

void report(const char *function, const char *detail)
{
    static char shown[200][40];
    static int counts[200];
    int index = 0;
    failures++;
    while (index < 199 && counts[index] != 0 && strncmp(shown[index], function, 39) != 0)
        index++;
    strncpy(shown[index], function, 39);
    if (counts[index]++ < 3)
        printf("%s: %s\n", function, detail);
}

int main(void)
{
    test_strings();
    test_characters();
    test_numbers();
    test_formatting();
    test_scanning();
    test_math_double();
    test_math_float();
    test_math_long_double();
    printf("%d differences\n", failures);
    return failures != 0;
}
