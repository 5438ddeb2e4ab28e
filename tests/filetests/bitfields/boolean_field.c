// kripke: check
// verdict: holds

#include <assert.h>
#include <stdbool.h>

struct options {
    bool verbose : 1;
    bool quiet : 1;
};

int main(void)
{
    struct options o = {.verbose = 4};
    assert(o.verbose == 1 && !o.quiet);
    o.quiet = 2;
    assert(o.quiet);
    return 0;
}
