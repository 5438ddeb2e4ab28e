/* As much of CMSIS-RTOS2 as the tests need. */

#ifndef CMSIS_OS2_H
#define CMSIS_OS2_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { osOK = 0, osErrorTimeout = -2, osErrorResource = -3 } osStatus_t;
typedef void *osThreadId_t, *osMutexId_t, *osSemaphoreId_t, *osMessageQueueId_t;
typedef struct {
    const char *name;
    uint32_t attr_bits;
} osThreadAttr_t, osMutexAttr_t, osSemaphoreAttr_t, osMessageQueueAttr_t;
#define osWaitForever 0xffffffffu

osStatus_t osKernelInitialize(void);
osStatus_t osKernelStart(void);
osThreadId_t osThreadNew(void (*)(void *), void *, const osThreadAttr_t *);
osStatus_t osDelay(uint32_t);
uint32_t osThreadFlagsWait(uint32_t, uint32_t, uint32_t);
osMutexId_t osMutexNew(const osMutexAttr_t *);
osStatus_t osMutexAcquire(osMutexId_t, uint32_t);
osStatus_t osMutexRelease(osMutexId_t);
osSemaphoreId_t osSemaphoreNew(uint32_t, uint32_t, const osSemaphoreAttr_t *);
osStatus_t osSemaphoreAcquire(osSemaphoreId_t, uint32_t);
osStatus_t osSemaphoreRelease(osSemaphoreId_t);
osMessageQueueId_t osMessageQueueNew(uint32_t, uint32_t, const osMessageQueueAttr_t *);
osStatus_t osMessageQueuePut(osMessageQueueId_t, const void *, uint8_t, uint32_t);
osStatus_t osMessageQueueGet(osMessageQueueId_t, void *, uint8_t *, uint32_t);

#endif
