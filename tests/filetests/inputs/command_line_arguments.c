// kripke: check
// verdict: holds

#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc >= 0);
    if (argc > 0)
        assert(argv[argc] == 0);
    return 0;
}
