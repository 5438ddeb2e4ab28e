// kripke: check --interrupt button:1:6
// verdict: violated
// violates: library-contract@17
// The handler comes before there is a semaphore.

#include "FreeRTOS.h"

void NVIC_EnableIRQ(int number);

static SemaphoreHandle_t pressed;
static volatile BaseType_t is_pressed;

void button(void)
{
    BaseType_t woken = pdFALSE;
    is_pressed = pdTRUE;
    xSemaphoreGiveFromISR(pressed, &woken);
}

static void work(void *unused)
{
    for (;;) {
        xSemaphoreTake(pressed, portMAX_DELAY);
        assert(is_pressed);
    }
}

int main(void)
{
    NVIC_EnableIRQ(6);
    pressed = xSemaphoreCreateBinary();
    xTaskCreate(work, "work", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
