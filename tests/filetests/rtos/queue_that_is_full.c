// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;

static int sent;

static void first(void *unused)
{
    for (int i = 0; i < 3; i++)
        if (xQueueSend(queue, &i, 0) == pdPASS)
            sent++;
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelay(10);
    taskENTER_CRITICAL();
    if (sent == 3)
        assert(0);
    assert(sent <= uxQueueMessagesWaiting(queue));
    assert(uxQueueMessagesWaiting(queue) + uxQueueSpacesAvailable(queue) == 2);
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(2, sizeof(int));
    run(first, second);
    return 0;
}
