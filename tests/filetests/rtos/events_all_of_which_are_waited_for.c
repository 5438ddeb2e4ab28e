// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static EventGroupHandle_t events;
static int one, two;

static void first(void *unused)
{
    one = 1;
    xEventGroupSetBits(events, 1);
    two = 1;
    xEventGroupSetBits(events, 2);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xEventGroupWaitBits(events, 3, pdTRUE, pdTRUE, portMAX_DELAY);
    assert(one == 1);
    assert(two == 1);
    vTaskDelete(NULL);
}

int main(void)
{
    events = xEventGroupCreate();
    run(first, second);
    return 0;
}
