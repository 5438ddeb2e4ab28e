// kripke: check
// verdict: violated
// violates: library-contract@11

#include "FreeRTOS.h"
static QueueHandle_t queue;

static void first(void *unused)
{
    int value = 1;
    xQueueOverwrite(queue, &value);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(2, sizeof(int));
    run(first, second);
    return 0;
}
