// kripke: check --check data-race
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;
static int data;

static void first(void *unused)
{
    int value = 1;
    data = 2;
    xQueueSend(queue, &value, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int value;
    xQueueReceive(queue, &value, portMAX_DELAY);
    data++;
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(int));
    run(first, second);
    return 0;
}
