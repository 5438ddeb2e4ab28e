// verdict: holds
// A string of any length is measured and copied.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

size_t __VERIFIER_nondet_size_t(void);
char __VERIFIER_nondet_char(void);

static char from[2000], to[2000];

static size_t length_of(const char *text) {
    const char *end = text;
    while (*end)
        end++;
    return (size_t)(end - text);
}

static void copy(char *target, const char *source) {
    while ((*target++ = *source++))
        ;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t(), at = __VERIFIER_nondet_size_t();
    if (length >= sizeof from)
        return 0;
    for (size_t i = 0; i < length; i++)
        from[i] = __VERIFIER_nondet_char();
    from[length] = 0;
    assert(length_of(from) <= length);
    copy(to, from);
    if (at <= length_of(from))
        assert(to[at] == from[at]);
}
