// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdio.h>

int main(void)
{
    unsigned char c = getchar();
    if (c == (unsigned char)EOF)
        assert(feof(stdin));
    return 0;
}
