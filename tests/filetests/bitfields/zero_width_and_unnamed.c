// kripke: check
// verdict: holds

#include <assert.h>

struct layout {
    unsigned char a : 3;
    unsigned char : 2;
    unsigned char b : 3;
    unsigned char : 0;
    unsigned char c : 1;
};

int main(void)
{
    struct layout l = {0};
    l.a = 7;
    l.b = 7;
    assert(sizeof l == 2);
    assert(*(unsigned char *)&l == 0xe7);
    l.c = 1;
    assert(((unsigned char *)&l)[1] == 1);
    return 0;
}
