// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    for (int i = 1; i <= 3; i++)
        xQueueOverwrite(queue, &i);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int old, value;
    xQueuePeek(queue, &old, portMAX_DELAY);
    xQueuePeek(queue, &value, portMAX_DELAY);
    assert(value >= old && value <= 3);
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
