// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    assert(c >= EOF && c < 256);
    assert(c != 'q');
    return 0;
}
