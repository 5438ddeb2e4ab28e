// kripke: check
// verdict: violated
// violates: assertion@20

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value = 1;
    xQueueSend(queue, &value, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int value = 2;
    xQueueSend(queue, &value, portMAX_DELAY);
    xQueueReceive(queue, &value, portMAX_DELAY);
    assert(value == 2);
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(2, sizeof(int));
    run(first, second);
    return 0;
}
