// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>

int main(void)
{
    char text[10] = "abcdefgh";
    memmove(text + 2, text, 6);
    assert(strcmp(text, "ababcdef") == 0);
    memmove(text, text + 1, 8);
    assert(strcmp(text, "babcdef") == 0);
    return 0;
}
