// kripke: check
// verdict: holds

#include <assert.h>

struct item {
    const char *name;
    struct {
        short range[2];
        union {
            int i;
            float f;
        } value;
    } detail;
};

static const struct item items[] = {
    {"first", {{1, 2}, {.i = 3}}},
    [2] = {.name = "third", .detail = {.range = {[1] = 7}, .value.f = 1.5f}},
};

int main(void)
{
    assert(sizeof items / sizeof items[0] == 3);
    assert(items[0].detail.value.i == 3);
    assert(!items[1].name);
    assert(items[2].detail.range[0] == 0 && items[2].detail.range[1] == 7);
    assert(items[2].detail.value.f == 1.5f);
    return 0;
}
