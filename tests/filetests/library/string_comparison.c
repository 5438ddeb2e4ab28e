// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>
char nondet_char(void);

int main(void)
{
    char a[3] = {nondet_char(), nondet_char(), 0}, b[3] = {nondet_char(), nondet_char(), 0};
    int ab = strcmp(a, b), ba = strcmp(b, a);
    assert((ab == 0) == (ba == 0));
    assert((ab < 0) == (ba > 0));
    if (ab == 0)
        assert(a[0] == b[0] && (a[0] == 0 || a[1] == b[1]));
    assert(strncmp(a, b, 0) == 0);
    return 0;
}
