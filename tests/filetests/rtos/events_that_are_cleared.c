// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static EventGroupHandle_t events;
static int one, two;

static void first(void *unused)
{
    xEventGroupSetBits(events, 5);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    assert(xEventGroupWaitBits(events, 1, pdTRUE, pdTRUE, portMAX_DELAY) == 5);
    assert(xEventGroupClearBits(events, 4) == 4);
    assert(xEventGroupWaitBits(events, 5, pdTRUE, pdFALSE, 10) == 0);
    vTaskDelete(NULL);
}

int main(void)
{
    events = xEventGroupCreate();
    run(first, second);
    return 0;
}
