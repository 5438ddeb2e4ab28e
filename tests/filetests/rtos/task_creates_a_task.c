// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static int ready;

static void second(void *unused)
{
    assert(ready == 1);
    vTaskDelete(NULL);
}

static void first(void *unused)
{
    ready = 1;
    xTaskCreate(second, "second", 128, NULL, 1, NULL);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
