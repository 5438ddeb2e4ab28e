// kripke: check
// verdict: violated
// violates: assertion@22

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int state = nondet_int(), next = 0;
    switch (state) {
    case 1:
        next = 2;
    case 2:
        next = 3;
        break;
    case 3:
        next = 1;
        break;
    }
    if (state == 1)
        assert(next == 2);
    return 0;
}
