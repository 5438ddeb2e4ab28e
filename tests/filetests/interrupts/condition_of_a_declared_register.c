// kripke: check --interrupt timer --interrupt-if timer:TIMSK.toie --check assertion --all
// verdict: violated
// violates: assertion@22
// prints: the registers `TIMSK` begin with 0
/* It is an object that no file defines. */
#include <assert.h>
extern volatile struct {
    unsigned char toie : 1, other : 1;
} TIMSK;
static volatile int x;
void timer(void)
{
    x++;
}
int main(void)
{
    TIMSK.other = 1;
    int t = x;
    assert(t == x);
    TIMSK.toie = 1;
    t = x;
    assert(t == x);
    return 0;
}
