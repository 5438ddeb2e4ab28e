// kripke: check
// verdict: violated
// prints: depends on where objects lie
// violates: assertion@15

// Once it is known to be an object's, it is followed into it.
#include <assert.h>
extern int *get(void);
static int g;
int main(void)
{
    int *p = get();
    if (p == &g) {
        *p = 3;
        assert(g == 0);
    }
    return 0;
}
