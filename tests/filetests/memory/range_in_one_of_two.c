// kripke: check
// verdict: holds
// The range lies in one of two objects; the other one stays as it is. Then one of them is set as a whole.
#include <assert.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);

static unsigned char first[512], second[512];

int main(void) {
    _Bool which = __VERIFIER_nondet_bool();
    unsigned start = __VERIFIER_nondet_uint(), length = __VERIFIER_nondet_uint();
    unsigned at = __VERIFIER_nondet_uint();
    if (start > 512 || length > 512 - start || at >= 512)
        return 0;
    memset((which ? first : second) + start, 3, length);
    _Bool inside = at >= start && at - start < length;
    assert(first[at] == (which && inside ? 3 : 0));
    assert(second[at] == (!which && inside ? 3 : 0));
    first[at] = 4;
    memcpy(second, which ? first : second, 512);
    assert(!which || second[at] == 4);
    return 0;
}
