// kripke: check
// verdict: violated
// violates: assertion@12

#include "FreeRTOS.h"
static TaskHandle_t receiver;
static int data;

static void first(void *unused)
{
    xTaskNotify(receiver, 1, eSetValueWithOverwrite);
    assert(xTaskNotify(receiver, 2, eSetValueWithoutOverwrite) == pdPASS);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    uint32_t value;
    xTaskNotifyWait(0, 0, &value, portMAX_DELAY);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    xTaskCreate(second, "second", 128, NULL, 2, &receiver);
    vTaskStartScheduler();
    return 0;
}
