// kripke: check --all
// verdict: violated
// violates: assertion@10
// violates: assertion@12
// violates: assertion@14
#include <assert.h>
#include <ctype.h>
#include <string.h>
int main(void) {
    assert(strcmp("c", "a") <= 1);
    assert(strcmp("c", "a") > 0 && strncmp("ab", "ac", 2) < 0 && strcmp("x", "x") == 0);
    assert(memcmp("a", "b", 1) >= -1);
    assert(memcmp("a", "b", 2) < 0);
    assert((isalpha)('a') == 1);
    assert((isalpha)('a') && !(isalpha)('1'));
    return 0;
}
