// kripke: check
// verdict: holds

#include <assert.h>

struct point {
    int x, y;
};

static int sum(const struct point *p)
{
    return p->x + p->y;
}

int main(void)
{
    int total = 0;
    const struct point *last = &(struct point){9, 9};
    for (int i = 0; i < 3; i++) {
        const struct point *p = &(struct point){i, 1};
        if (i == 1)
            continue;
        total += sum(p) + sum(&(struct point){.y = 2});
        if (i > 1)
            break;
    }
    assert(total == 1 + 2 + 3 + 2);
    assert(sum(last) == 18);
    return 0;
}
