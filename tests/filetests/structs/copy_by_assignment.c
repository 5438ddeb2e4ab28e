// kripke: check
// verdict: holds

#include <assert.h>

struct point {
    int x, y;
};

int main(void)
{
    struct point a = {1, 2}, b;
    b = a;
    a.x = 10;
    assert(b.x == 1 && b.y == 2 && a.x == 10);
    return 0;
}
