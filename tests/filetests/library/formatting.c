// kripke: check
// verdict: holds

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%d-%04x|%5s|%c", -12, 0xab, "ab", 'z');
    assert(n == 16);
    assert(strcmp(text, "-12-00ab|   ab|z") == 0);
    n = snprintf(text, 4, "%u", 123456u);
    assert(n == 6 && strcmp(text, "123") == 0);
    sprintf(text, "%%%s", "");
    assert(strcmp(text, "%") == 0);
    return 0;
}
