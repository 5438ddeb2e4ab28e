// kripke: check
// verdict: violated
// violates: assertion@19

#include <assert.h>
extern void *get(void);
static int called;
static void handler(void)
{
    called = 1;
}
int main(void)
{
    void (*callback)(void) = get();
    if (callback != handler)
        return 0;
    callback();
    // The call is the handler's.
    assert(called == 0);
    return 0;
}
