// kripke: check
// verdict: holds

#include <assert.h>

struct shape {
    int (*area)(const struct shape *);
    int width, height;
};

static int rectangle(const struct shape *s) { return s->width * s->height; }
static int triangle(const struct shape *s) { return s->width * s->height / 2; }

int main(void)
{
    struct shape shapes[] = {{rectangle, 3, 4}, {triangle, 3, 4}};
    int total = 0;
    for (int i = 0; i < 2; i++)
        total += shapes[i].area(&shapes[i]);
    assert(total == 18);
    return 0;
}
