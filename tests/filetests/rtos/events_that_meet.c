// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static EventGroupHandle_t events;
static int one, two;

static void first(void *unused)
{
    one = 1;
    assert(xEventGroupSync(events, 1, 3, portMAX_DELAY) == 3);
    assert(two == 1);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    two = 1;
    assert(xEventGroupSync(events, 2, 3, portMAX_DELAY) == 3);
    assert(one == 1);
    vTaskDelete(NULL);
}

int main(void)
{
    events = xEventGroupCreate();
    run(first, second);
    return 0;
}
