// kripke: check
// verdict: violated
// violates: main.deadlock.1

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value;
    xQueueReceive(queue, &value, portMAX_DELAY);
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
