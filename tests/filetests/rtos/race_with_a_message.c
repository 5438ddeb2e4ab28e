// kripke: check --check data-race
// verdict: violated
// violates: data-race@11

#include "FreeRTOS.h"
static QueueHandle_t queue;
static int message;

static void first(void *unused)
{
    xQueueReceive(queue, &message, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int value = 1;
    xQueueSend(queue, &value, portMAX_DELAY);
    message = 2;
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
