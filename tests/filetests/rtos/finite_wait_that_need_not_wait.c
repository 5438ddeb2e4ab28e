// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value = 5;
    xQueueSend(queue, &value, 0);
    assert(xQueueReceive(queue, &value, 1000) == pdPASS);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
