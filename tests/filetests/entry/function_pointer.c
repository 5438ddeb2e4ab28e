// kripke: check --entry call
// verdict: holds

#include <assert.h>

struct device {
    int state;
    void (*handler)(int);
};

static void handle(int state)
{
    assert(state > 0);
}

void call(struct device *device)
{
    if (device && device->handler == handle && device->state > 0)
        device->handler(device->state);
}
