// kripke: check
// verdict: holds

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct pair {
    int a[2];
};

static void set(struct pair *p, int value)
{
    p->a[0] = value;
    p->a[1] = value + 1;
}

static int find(int n)
{
    for (int i = 0; i < 4; i++) {
        struct pair p;
        set(&p, i);
        if (p.a[0] == n)
            break;
        {
            struct pair q;
            set(&q, p.a[1]);
            if (q.a[1] == n)
                continue;
            if (q.a[0] == 3)
                return 7;
        }
        switch (i) {
        case 0: {
            int y;
            int *r = &y;
            *r = p.a[0];
            if (y)
                return -1;
            break;
        }
        default:
            if (p.a[1] != i + 1)
                goto wrong;
        }
    }
    return n;
wrong:
    return -2;
}

int main(void)
{
    int result = find(__VERIFIER_nondet_int() & 7);
    assert(result >= 0 && result <= 7);
    return 0;
}
