// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>

struct state {
    int a;
    float b;
    char *c;
    short d[3];
};

int main(void)
{
    struct state s;
    memset(&s, 0, sizeof s);
    assert(s.a == 0 && s.b == 0.0f && s.c == 0 && s.d[2] == 0);
    memset(&s.a, 0xff, sizeof s.a);
    assert(s.a == -1);
    return 0;
}
