// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdbool.h>

int main(void)
{
    bool flag;
    *(unsigned char *)&flag = 2;
    assert(!flag); // neither true nor false: C11 6.2.6.1
    return 0;
}
