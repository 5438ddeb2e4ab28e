// kripke: check
// verdict: violated
// violates: assertion@18

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value = 5;
    xQueueSend(queue, &value, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int value;
    assert(xQueueReceive(queue, &value, 1000) == pdPASS);
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
