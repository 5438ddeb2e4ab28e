// kripke: check --check assertion
// verdict: holds

#include <assert.h>
#include <stdint.h>

struct __attribute__((packed)) frame {
    uint8_t kind;
    uint32_t length;
};

static struct frame frame = {1, 2};

int main(void)
{
    uint32_t *length = &frame.length;
    *length = *length + 5;
    assert(frame.kind == 1 && frame.length == 7);
    return 0;
}
