// kripke: check
// verdict: holds

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct context {
    unsigned char *buffer;
    unsigned length;
};

static void put(struct context *c, unsigned char value)
{
    if (c->length < 4)
        c->buffer[c->length++] = value;
}

int main(void)
{
    struct context c = {0};
    while (__VERIFIER_nondet_int()) {
        unsigned char buffer[4] = {0};
        c.buffer = buffer;
        c.length = 0;
        put(&c, 1);
        if (__VERIFIER_nondet_int())
            continue;
        put(&c, 2);
        assert(c.length == 2 && buffer[0] == 1);
    }
    return 0;
}
