// kripke: check
// verdict: holds

#include <assert.h>
long long nondet_longlong(void);

int main(void)
{
    long long x = nondet_longlong();
    int hit = 0;
    switch (x) {
    case 0x100000000LL:
        hit = 1;
        break;
    case -0x100000000LL:
        hit = 2;
        break;
    }
    assert(hit == 0 || (int)x == 0);
    return 0;
}
