// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    const char *text = "loop", *end = text;
    while (*end++)
        ;
    assert(end - text == 5);
    return 0;
}
