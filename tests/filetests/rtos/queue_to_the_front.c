// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value = 1;
    xQueueSend(queue, &value, 0);
    value = 2;
    xQueueSendToFront(queue, &value, 0);
    xQueueReceive(queue, &value, 0);
    assert(value == 2);
    xQueuePeek(queue, &value, portMAX_DELAY);
    assert(value == 1);
    assert(uxQueueMessagesWaiting(queue) == 1);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(3, sizeof(int));
    run(first, second);
    return 0;
}
