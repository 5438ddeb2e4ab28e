// kripke: check
// verdict: holds

#include <assert.h>

struct vector {
    int x, y, z;
};

static struct vector add(struct vector a, struct vector b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}

int main(void)
{
    struct vector a = {1, 2, 3}, b = {10, 20, 30};
    struct vector c = add(a, b);
    assert(c.x == 11 && c.y == 22 && c.z == 33);
    assert(a.x == 1);
    return 0;
}
