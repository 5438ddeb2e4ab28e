// kripke: check --interrupt a:1 --interrupt b:2
// options: --interrupt-if a:left>0 --check assertion --all --interrupt-bound 4 --unwind 8
// verdict: violated
// violates: assertion@29
// prints: 2 hold
/* Handlers change what their conditions read: this one comes as often as the other allows. */
#include <assert.h>
static volatile int left, x, more;
void a(void)
{
    left--;
    x++;
}
void b(void)
{
    if (!more) {
        more = 1;
        left += 2;
    }
}
int main(void)
{
    left = 1;
    int t = x;
    assert(t <= 3);
    int m = more;
    t = x;
    assert(t <= 2 || more);
    assert(t <= 2);
    return m;
}
