// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>

extern const volatile int STATUS;

int main(void)
{
    if (STATUS == 1)
        assert(STATUS == 1);
    return 0;
}
