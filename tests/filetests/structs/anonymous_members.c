// kripke: check
// verdict: holds

#include <assert.h>

struct variant {
    int kind;
    union {
        int number;
        struct {
            short low, high;
        };
    };
};

int main(void)
{
    struct variant v = {.kind = 1, .number = 0x00020001};
    assert(v.low == 1 && v.high == 2);
    return 0;
}
