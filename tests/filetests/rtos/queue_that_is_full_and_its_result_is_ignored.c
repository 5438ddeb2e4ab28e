// kripke: check
// verdict: violated
// violates: assertion@23

#include "FreeRTOS.h"
static QueueHandle_t queue;

static int sent;

static void first(void *unused)
{
    for (int i = 0; i < 3; i++)
        xQueueSend(queue, &i, 0);
    sent = 3;
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelay(10);
    taskENTER_CRITICAL();
    if (sent == 3)
        assert(uxQueueMessagesWaiting(queue) == 3);
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(2, sizeof(int));
    run(first, second);
    return 0;
}
