// kripke: check
// verdict: violated
// violates: pointer@17

extern int __VERIFIER_nondet_int(void);

struct context {
    unsigned char *buffer;
};

int main(void)
{
    struct context c = {0};
    while (__VERIFIER_nondet_int()) {
        unsigned char buffer[4] = {0};
        if (c.buffer && __VERIFIER_nondet_int())
            return *c.buffer;
        c.buffer = buffer;
    }
    return 0;
}
