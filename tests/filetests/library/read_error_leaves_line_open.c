// kripke: check --unwind 6
// verdict: violated
// violates: assertion@12

#include <assert.h>
#include <stdio.h>

int main(void)
{
    char line[4] = "abc";
    if (fgets(line, 4, stdin) == NULL)
        assert(line[0] == 'a');
    return 0;
}
