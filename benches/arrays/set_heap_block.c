// verdict: holds
// A block of any size from the heap is set word by word from its end.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (count == 0 || count > 100000 || at >= count)
        return 0;
    uint32_t *words = malloc(count * sizeof *words);
    if (!words)
        return 0;
    for (uint32_t *word = words + count; word > words;)
        *--word = 0xa5a5a5a5;
    assert(words[at] == 0xa5a5a5a5);
    free(words);
}
