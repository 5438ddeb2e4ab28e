// kripke: check --target i386-linux-gnu
// verdict: holds

#include <assert.h>
#include <stddef.h>

struct s {
    char c;
    double d;
};

int main(void)
{
    assert(offsetof(struct s, d) == 4 && sizeof(struct s) == 12);
    struct s s = {1, 2.5}, t = s;
    assert(t.d == 2.5);
    return 0;
}
