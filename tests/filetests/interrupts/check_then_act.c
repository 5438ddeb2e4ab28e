// kripke: check --interrupt drain --check assertion
// verdict: violated
// violates: assertion@14
#include <assert.h>
static volatile int count = 3;
void drain(void)
{
    count = 0;
}
int main(void)
{
    if (count > 0) {
        count--;
        assert(count >= 0);
    }
    return 0;
}
