// kripke: check --arguments 2
// verdict: violated
// violates: assertion@12
// Arguments have any characters, and end.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        assert(strlen(argv[i]) <= 8);
    assert(argc < 3 || strcmp(argv[1], "-n") != 0 || argv[2][0] != '7');
    return 0;
}
