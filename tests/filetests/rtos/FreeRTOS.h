/* As much of FreeRTOS as the tests need: declarations in the form of version 10.4 and later. */

#ifndef FREERTOS_H
#define FREERTOS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
typedef TickType_t EventBits_t;
typedef struct tskTaskControlBlock *TaskHandle_t;
typedef struct QueueDefinition *QueueHandle_t;
typedef QueueHandle_t SemaphoreHandle_t;
typedef struct EventGroupDef_t *EventGroupHandle_t;
typedef struct tmrTimerControl *TimerHandle_t;
typedef void (*TaskFunction_t)(void *);
typedef void (*TimerCallbackFunction_t)(TimerHandle_t);
typedef struct { void *words[20]; } StaticTask_t, StaticQueue_t, StaticSemaphore_t, StaticEventGroup_t;
typedef unsigned long StackType_t;
typedef enum {
    eNoAction,
    eSetBits,
    eIncrement,
    eSetValueWithOverwrite,
    eSetValueWithoutOverwrite
} eNotifyAction;

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdPASS pdTRUE
#define pdFAIL pdFALSE
#define portMAX_DELAY ((TickType_t)0xffffffff)

/* Tasks. */
BaseType_t xTaskCreate(TaskFunction_t, const char *, uint16_t, void *, UBaseType_t, TaskHandle_t *);
TaskHandle_t xTaskCreateStatic(TaskFunction_t, const char *, uint32_t, void *, UBaseType_t, StackType_t *,
                               StaticTask_t *);
void vTaskDelete(TaskHandle_t);
void vTaskSuspend(TaskHandle_t);
void vTaskResume(TaskHandle_t);
void vTaskDelay(TickType_t);
BaseType_t xTaskDelayUntil(TickType_t *, TickType_t);
TickType_t xTaskGetTickCount(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
BaseType_t xTaskGetSchedulerState(void);
BaseType_t xTaskAbortDelay(TaskHandle_t);
void vTaskStartScheduler(void);
void vTaskEndScheduler(void);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);

/* The port. */
void vPortEnterCritical(void);
void vPortExitCritical(void);
void vPortYield(void);
void *pvPortMalloc(size_t);
void vPortFree(void *);
#define taskENTER_CRITICAL() vPortEnterCritical()
#define taskEXIT_CRITICAL() vPortExitCritical()
#define taskYIELD() vPortYield()

/* Queues and semaphores. */
QueueHandle_t xQueueGenericCreate(UBaseType_t, UBaseType_t, uint8_t);
QueueHandle_t xQueueGenericCreateStatic(UBaseType_t, UBaseType_t, uint8_t *, StaticQueue_t *, uint8_t);
BaseType_t xQueueGenericSend(QueueHandle_t, const void *, TickType_t, BaseType_t);
BaseType_t xQueueGenericSendFromISR(QueueHandle_t, const void *, BaseType_t *, BaseType_t);
BaseType_t xQueueGiveFromISR(QueueHandle_t, BaseType_t *);
BaseType_t xQueueReceive(QueueHandle_t, void *, TickType_t);
BaseType_t xQueuePeek(QueueHandle_t, void *, TickType_t);
BaseType_t xQueueSemaphoreTake(QueueHandle_t, TickType_t);
UBaseType_t uxQueueMessagesWaiting(QueueHandle_t);
UBaseType_t uxQueueSpacesAvailable(QueueHandle_t);
void vQueueDelete(QueueHandle_t);
QueueHandle_t xQueueCreateMutex(uint8_t);
QueueHandle_t xQueueCreateCountingSemaphore(UBaseType_t, UBaseType_t);
BaseType_t xQueueTakeMutexRecursive(QueueHandle_t, TickType_t);
BaseType_t xQueueGiveMutexRecursive(QueueHandle_t);
#define xQueueCreate(length, size) xQueueGenericCreate(length, size, 0)
#define xQueueSend(queue, item, time) xQueueGenericSend(queue, item, time, 0)
#define xQueueSendToFront(queue, item, time) xQueueGenericSend(queue, item, time, 1)
#define xQueueOverwrite(queue, item) xQueueGenericSend(queue, item, 0, 2)
#define xQueueSendFromISR(queue, item, woken) xQueueGenericSendFromISR(queue, item, woken, 0)
#define xSemaphoreCreateMutex() xQueueCreateMutex(1)
#define xSemaphoreCreateRecursiveMutex() xQueueCreateMutex(4)
#define xSemaphoreCreateBinary() xQueueGenericCreate(1, 0, 3)
#define xSemaphoreCreateCounting(most, first) xQueueCreateCountingSemaphore(most, first)
#define xSemaphoreTake(semaphore, time) xQueueSemaphoreTake(semaphore, time)
#define xSemaphoreGive(semaphore) xQueueGenericSend(semaphore, NULL, 0, 0)
#define xSemaphoreGiveFromISR(semaphore, woken) xQueueGiveFromISR(semaphore, woken)
#define xSemaphoreTakeRecursive(mutex, time) xQueueTakeMutexRecursive(mutex, time)
#define xSemaphoreGiveRecursive(mutex) xQueueGiveMutexRecursive(mutex)

/* Notifications. */
BaseType_t xTaskGenericNotify(TaskHandle_t, UBaseType_t, uint32_t, eNotifyAction, uint32_t *);
uint32_t ulTaskGenericNotifyTake(UBaseType_t, BaseType_t, TickType_t);
BaseType_t xTaskGenericNotifyWait(UBaseType_t, uint32_t, uint32_t, uint32_t *, TickType_t);
#define xTaskNotify(task, value, action) xTaskGenericNotify(task, 0, value, action, NULL)
#define xTaskNotifyGive(task) xTaskGenericNotify(task, 0, 0, eIncrement, NULL)
#define ulTaskNotifyTake(clears, time) ulTaskGenericNotifyTake(0, clears, time)
#define xTaskNotifyWait(entry, exit, value, time) xTaskGenericNotifyWait(0, entry, exit, value, time)

/* Groups of events. */
EventGroupHandle_t xEventGroupCreate(void);
EventBits_t xEventGroupWaitBits(EventGroupHandle_t, EventBits_t, BaseType_t, BaseType_t, TickType_t);
EventBits_t xEventGroupSetBits(EventGroupHandle_t, EventBits_t);
EventBits_t xEventGroupClearBits(EventGroupHandle_t, EventBits_t);
EventBits_t xEventGroupSync(EventGroupHandle_t, EventBits_t, EventBits_t, TickType_t);

/* Timers. */
TimerHandle_t xTimerCreate(const char *, TickType_t, BaseType_t, void *, TimerCallbackFunction_t);
BaseType_t xTimerGenericCommandFromTask(TimerHandle_t, BaseType_t, TickType_t, BaseType_t *, TickType_t);
BaseType_t xTimerIsTimerActive(TimerHandle_t);
void *pvTimerGetTimerID(TimerHandle_t);
#define xTimerStart(timer, time) xTimerGenericCommandFromTask(timer, 1, xTaskGetTickCount(), NULL, time)
#define xTimerStop(timer, time) xTimerGenericCommandFromTask(timer, 3, 0, NULL, time)

/* Two tasks that the tests start. */
static inline void run(TaskFunction_t first, TaskFunction_t second)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    xTaskCreate(second, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}

#endif
