// kripke: check
// verdict: holds

#include <assert.h>

struct sample {
    double value;
    char unit;
    float scale;
    short count;
};

static double total(struct sample s)
{
    return s.value * s.scale + s.count + (s.unit == 'm');
}

int main(void)
{
    struct sample s = {1.5, 'm', 2.0f, 3};
    assert(total(s) == 7.0);
    return 0;
}
