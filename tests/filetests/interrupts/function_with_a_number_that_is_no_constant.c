// kripke: check --interrupt a:1:3 --interrupt b:1:4 --interrupt-disable mask(n)
// options: --check assertion --all --interrupt-bound 2
// verdict: violated
// violates: assertion@29
#include <assert.h>
void mask(unsigned char n);
int any(void);
static volatile int x, y;
void a(void)
{
    x++;
}
void b(void)
{
    y++;
}
int main(void)
{
    int n = any();
    if (n == 3 || n == 4) {
        mask(n);
        int t = x, u = y;
        int xs = x, ys = y;
        if (n == 3)
            assert(t == xs);
        else
            assert(u == ys);
        if (n == 3)
            assert(u == ys);
    }
    return 0;
}
