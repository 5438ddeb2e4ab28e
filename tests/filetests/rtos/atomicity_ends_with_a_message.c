// kripke: check --check atomicity
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;
static int level, seen;

static void first(void *unused)
{
    int message = 1;
    level = 2;
    xQueueSend(queue, &message, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int message;
    seen = level;
    xQueueReceive(queue, &message, portMAX_DELAY);
    seen = level;
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
