// kripke: check
// verdict: violated
// violates: uninitialised@13

extern int __VERIFIER_nondet_int(void);

struct pair {
    int a[2];
};

static int get(struct pair *p)
{
    return p->a[0];
}

int main(void)
{
    int round = 0;
again:;
    struct pair p;
    if (round == 0)
        p.a[0] = 1;
    int value = get(&p);
    if (round++ < 1)
        goto again;
    return value;
}
