// kripke: check
// verdict: violated
// violates: pointer@17

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
    message->number = 8;
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    struct message *message;
    xQueueReceive(queue, &message, portMAX_DELAY);
    vPortFree(message);
    vTaskDelete(NULL);
}

int main(void)
{
    queue = xQueueCreate(1, sizeof(struct message *));
    run(first, second);
    return 0;
}
