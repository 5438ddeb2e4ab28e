// kripke: check
// verdict: violated
// violates: assertion@11

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 0;
    assert(sscanf("99999999999", "%d", &number) != 1 || number == 1215752191); // undefined: C11 7.21.6.2
    return 0;
}
