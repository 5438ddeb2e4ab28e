// kripke: check
// verdict: holds

#include <assert.h>

struct point {
    int x, y;
};

static int manhattan(const struct point *p)
{
    return (p->x < 0 ? -p->x : p->x) + (p->y < 0 ? -p->y : p->y);
}

int main(void)
{
    assert(manhattan(&(struct point){3, -4}) == 7);
    struct point p = (struct point){.y = 2};
    assert(p.x == 0 && p.y == 2);
    int *values = (int[]){1, 2, 3};
    values[1] = 9;
    assert(values[1] == 9);
    return 0;
}
