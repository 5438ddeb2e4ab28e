// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>
char nondet_char(void);

int main(void)
{
    char text[6];
    for (int i = 0; i < 5; i++)
        text[i] = nondet_char();
    text[5] = 0;
    size_t n = strlen(text);
    assert(n <= 5 && text[n] == 0);
    for (size_t i = 0; i < n; i++)
        assert(text[i] != 0);
    assert(strnlen(text, 3) == (n < 3 ? n : 3));
    return 0;
}
