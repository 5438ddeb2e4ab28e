// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static QueueHandle_t queue;

struct message {
    int number;
};

static void first(void *unused)
{
    struct message *message = pvPortMalloc(sizeof *message);
    message->number = 7;
    xQueueSend(queue, &message, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    struct message *message;
    xQueueReceive(queue, &message, portMAX_DELAY);
    assert(message->number == 7);
    vPortFree(message);
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(struct message *));
    run(first, second);
    return 0;
}
