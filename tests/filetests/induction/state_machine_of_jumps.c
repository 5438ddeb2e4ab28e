// kripke: check
// verdict: violated
// violates: assertion@21
// States that are labels, entered at any of them: the loop has no one beginning.

#include <assert.h>
_Bool nondet_bool(void);
unsigned nondet_uint(void);
unsigned char a, secret;

int main(void)
{
    switch (nondet_uint()) {
    case 0: secret = 1; goto two;
    case 1: goto one;
    default: goto three;
    }
one:
    a = a == 9 ? 0 : a + 1;
    if (nondet_bool()) goto two;
three: if (secret) assert(a != 4);
    goto one;
two:
    if (nondet_bool()) goto one;
    goto three;
}
