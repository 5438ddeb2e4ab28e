// kripke: check
// verdict: violated
// violates: main.deadlock.1

#include "FreeRTOS.h"
static EventGroupHandle_t events;
static int one, two;

static void first(void *unused)
{
    xEventGroupSetBits(events, 1);
    xEventGroupWaitBits(events, 1, pdTRUE, pdTRUE, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xEventGroupWaitBits(events, 1, pdTRUE, pdTRUE, portMAX_DELAY);
    vTaskDelete(NULL);
}

int main(void)
{
    events = xEventGroupCreate();
    run(first, second);
    return 0;
}
