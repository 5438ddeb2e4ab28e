// kripke: check
// verdict: unknown
// prints: `read`, which writes memory and has no model

#include <assert.h>
#include <unistd.h>

int main(void)
{
    char c = 'a';
    if (read(0, &c, 1) == 1)
        assert(c == 'a');
    return 0;
}
