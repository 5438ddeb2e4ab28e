// kripke: check
// verdict: holds

#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

int main(void)
{
    assert(__VERIFIER_nondet_bool() <= 1);
    assert(__VERIFIER_nondet_char() <= 127);
    assert(__VERIFIER_nondet_uchar() <= 255);
    assert(__VERIFIER_nondet_short() >= -32768);
    assert(__VERIFIER_nondet_ushort() <= 65535);
    unsigned long u = __VERIFIER_nondet_ulong();
    assert(u / 2 <= u);
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    assert(f - f == 0 || f - f != f - f);
    assert(d < d + 1 || d >= 1 || d != d || d <= -1);
    return 0;
}
