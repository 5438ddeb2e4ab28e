// kripke: check
// verdict: holds

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[6];
    if (fgets(line, sizeof line, stdin)) {
        size_t n = strlen(line);
        assert(n <= 5);
        char *end = memchr(line, '\n', n);
        assert(!end || end - line < 5);
    }
    return 0;
}
