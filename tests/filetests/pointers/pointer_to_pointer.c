// kripke: check
// verdict: holds

#include <assert.h>

static void advance(const char **text)
{
    while (**text == ' ')
        (*text)++;
}

int main(void)
{
    const char *text = "  x";
    advance(&text);
    assert(*text == 'x');
    return 0;
}
