// kripke: check --interrupt button:1:6 --check handler-call
// verdict: violated
// violates: handler-call@16
// The function is for tasks.

#include "FreeRTOS.h"

void NVIC_EnableIRQ(int number);

static SemaphoreHandle_t pressed;
static volatile BaseType_t is_pressed;

void button(void)
{
    is_pressed = pdTRUE;
    xSemaphoreGive(pressed);
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
    pressed = xSemaphoreCreateBinary();
    NVIC_EnableIRQ(6);
    xTaskCreate(work, "work", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
