// kripke: check
// verdict: holds

#include "FreeRTOS.h"

unsigned char data(void);

static QueueHandle_t queue;

static void send(void *unused)
{
    for (;;) {
        unsigned char byte = data();
        xQueueSend(queue, &byte, portMAX_DELAY);
    }
}

static void receive(void *unused)
{
    for (;;) {
        unsigned char byte;
        xQueueReceive(queue, &byte, portMAX_DELAY);
    }
}

int main(void)
{
    queue = xQueueCreate(2, 1);
    xTaskCreate(send, "send", 128, NULL, 1, NULL);
    xTaskCreate(receive, "receive", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
