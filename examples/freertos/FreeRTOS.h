/* The declarations that the examples need. A program of yours includes the kernel's headers. */

#ifndef FREERTOS_H
#define FREERTOS_H

#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
typedef struct tskTaskControlBlock *TaskHandle_t;
typedef struct QueueDefinition *QueueHandle_t;
typedef QueueHandle_t SemaphoreHandle_t;

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define portMAX_DELAY ((TickType_t)0xffffffff)

BaseType_t xTaskCreate(void (*)(void *), const char *, uint16_t, void *, UBaseType_t, TaskHandle_t *);
void vTaskDelete(TaskHandle_t);
void vTaskStartScheduler(void);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);
void vPortEnterCritical(void);
void vPortExitCritical(void);
#define taskENTER_CRITICAL() vPortEnterCritical()
#define taskEXIT_CRITICAL() vPortExitCritical()
void vPortYieldFromISR(void);
#define portYIELD_FROM_ISR(woken) ((woken) != pdFALSE ? vPortYieldFromISR() : (void)0)
BaseType_t xTaskGenericNotify(TaskHandle_t, UBaseType_t, uint32_t, int, uint32_t *);
uint32_t ulTaskGenericNotifyTake(UBaseType_t, BaseType_t, TickType_t);
#define xTaskNotifyGive(task) xTaskGenericNotify(task, 0, 0, 2, NULL)
#define ulTaskNotifyTake(clears, time) ulTaskGenericNotifyTake(0, clears, time)

QueueHandle_t xQueueGenericCreate(UBaseType_t, UBaseType_t, uint8_t);
QueueHandle_t xQueueCreateMutex(uint8_t);
BaseType_t xQueueGenericSend(QueueHandle_t, const void *, TickType_t, BaseType_t);
BaseType_t xQueueGenericSendFromISR(QueueHandle_t, const void *, BaseType_t *, BaseType_t);
BaseType_t xQueueReceive(QueueHandle_t, void *, TickType_t);
BaseType_t xQueueSemaphoreTake(QueueHandle_t, TickType_t);
#define xQueueCreate(length, size) xQueueGenericCreate(length, size, 0)
#define xQueueSend(queue, item, time) xQueueGenericSend(queue, item, time, 0)
#define xQueueSendFromISR(queue, item, woken) xQueueGenericSendFromISR(queue, item, woken, 0)
#define xSemaphoreCreateMutex() xQueueCreateMutex(1)
#define xSemaphoreTake(semaphore, time) xQueueSemaphoreTake(semaphore, time)
#define xSemaphoreGive(semaphore) xQueueGenericSend(semaphore, NULL, 0, 0)

#endif
