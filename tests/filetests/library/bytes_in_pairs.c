// kripke: check
// verdict: holds

#define _GNU_SOURCE
#include <assert.h>
#include <search.h>
#include <string.h>
#include <unistd.h>

static int is_other(const void *a, const void *b) { return *(const char *)a != *(const char *)b; }

int main(void)
{
    char text[6] = "abcd";
    swab("badc", text, 4);
    assert(strcmp(text, "abcd") == 0);
    size_t count = 4;
    assert(lfind("c", text, &count, 1, is_other) == text + 2);
    assert(lsearch("e", text, &count, 1, is_other) == text + 4 && count == 5);
    explicit_bzero(text, sizeof text);
    assert(text[0] == 0 && text[4] == 0);
}
