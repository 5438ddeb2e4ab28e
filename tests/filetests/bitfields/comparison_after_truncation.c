// kripke: check
// verdict: violated
// violates: assertion@18

#include <assert.h>
unsigned nondet_uint(void);

struct message {
    unsigned length : 6;
};

int main(void)
{
    unsigned length = nondet_uint();
    struct message m;
    m.length = length;
    if (length < 100)
        assert(m.length == length);
    return 0;
}
