// kripke: check --entry mix
// verdict: violated
// violates: assertion@22

#include <assert.h>
#include <stdbool.h>

enum mode { OFF, ON = 7 };

struct all {
    bool flag;
    signed char small;
    unsigned short middle;
    enum mode mode;
    long long large;
    float single;
    double precise;
};

void mix(const struct all *p, signed char narrow, bool flag, double real)
{
    assert(!p || !p->flag || p->small != -3 || p->mode != ON || p->large != -5 || p->single != 1.5f ||
           p->precise != -2.5 || narrow != p->small || !flag || real != 0.25 || p->middle != 65535);
}
