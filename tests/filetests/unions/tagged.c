// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

struct value {
    enum { INTEGER, REAL } kind;
    union {
        int integer;
        float real;
    } as;
};

static int is_positive(const struct value *v)
{
    return v->kind == INTEGER ? v->as.integer > 0 : v->as.real > 0;
}

int main(void)
{
    struct value v;
    if (nondet_int()) {
        v.kind = INTEGER;
        v.as.integer = 3;
    } else {
        v.kind = REAL;
        v.as.real = 0.5f;
    }
    assert(is_positive(&v));
    return 0;
}
