// kripke: check
// verdict: holds

#include <assert.h>

union cell {
    int number;
    char text[8];
};

static union cell stamp(union cell c)
{
    c.text[7] = '!';
    return c;
}

int main(void)
{
    union cell c = {.text = "abcdefg"};
    union cell d = stamp(c);
    assert(d.text[0] == 'a' && d.text[7] == '!' && c.text[7] == 0);
    return 0;
}
