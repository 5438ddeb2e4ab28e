// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <string.h>

int main(void)
{
    char name[4];
    strncpy(name, "long", sizeof name);
    assert(name[3] == 0);
    return 0;
}
