// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static TaskHandle_t receiver;
static int data;

static void first(void *unused)
{
    assert(xTaskNotify(receiver, 6, eSetBits) == pdPASS);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    uint32_t value = 0;
    BaseType_t got = xTaskNotifyWait(0, 0xffffffff, &value, 10);
    assert(got ? value == 6 : value == 0 || value == 6);
    if (!got && xTaskNotifyWait(0, 0, &value, portMAX_DELAY))
        assert(value == 6);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    xTaskCreate(second, "second", 128, NULL, 2, &receiver);
    vTaskStartScheduler();
    return 0;
}
