// kripke: check
// verdict: violated
// violates: assertion@13

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    signed char m = 0;
    printf("abc%n%d%-4c|%hhn", &n, 12345, 'x', &m);
    assert(n != 3 || m != 13);
    return 0;
}
