// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static TaskHandle_t receiver;
static int data;

static void first(void *unused)
{
    data = 42;
    xTaskNotifyGive(receiver);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    assert(data == 42);
    for (;;)
        vTaskDelay(1);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    xTaskCreate(second, "second", 128, NULL, 2, &receiver);
    vTaskStartScheduler();
    return 0;
}
