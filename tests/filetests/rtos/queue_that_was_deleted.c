// kripke: check
// verdict: violated
// violates: library-contract@11

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value = 1;
    xQueueSend(queue, &value, 0);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vQueueDelete(queue);
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
