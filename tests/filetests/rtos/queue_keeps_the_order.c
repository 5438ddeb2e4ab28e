// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    for (int i = 1; i <= 3; i++)
        xQueueSend(queue, &i, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        int value;
        xQueueReceive(queue, &value, portMAX_DELAY);
        assert(value == i);
    }
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(2, sizeof(int));
    run(first, second);
    return 0;
}
