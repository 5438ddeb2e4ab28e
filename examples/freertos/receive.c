/* FreeRTOS and an interrupt: a handler sends on what the UART received, and counts what did not fit into the
 * queue; a task takes the bytes, reports that number and begins it anew. Checked with
 * `--interrupt uart_received:1:38` it is right. With -D SUSPENDED the task keeps other tasks from running
 * where it should keep the handler; with -D EARLY the handler comes before there is a queue. */
#include <assert.h>

#include "FreeRTOS.h"

void NVIC_EnableIRQ(int number);
unsigned char uart_data(void);
void report(unsigned char count);

static QueueHandle_t received;
static unsigned char lost;

void uart_received(void)
{
    BaseType_t woken = pdFALSE;
    unsigned char byte = uart_data();
    if (!xQueueSendFromISR(received, &byte, &woken) && lost < 255)
        lost++;
    portYIELD_FROM_ISR(woken);
}

static void report_lost(void)
{
    unsigned char count;
#ifdef SUSPENDED
    vTaskSuspendAll();
#else
    taskENTER_CRITICAL();
#endif
    count = lost;
    report(count);
    assert(lost == count);
    lost = 0;
#ifdef SUSPENDED
    xTaskResumeAll();
#else
    taskEXIT_CRITICAL();
#endif
}

static void work(void *unused)
{
    for (;;) {
        unsigned char byte;
        xQueueReceive(received, &byte, portMAX_DELAY);
        report_lost();
    }
}

int main(void)
{
#ifdef EARLY
    NVIC_EnableIRQ(38);
#endif
    received = xQueueCreate(2, sizeof(unsigned char));
    NVIC_EnableIRQ(38);
    xTaskCreate(work, "work", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
