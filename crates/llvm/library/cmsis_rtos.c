/* CMSIS-RTOS2 over the tasks and queues of freertos.c, of whose module this is a part: threads, mutexes,
 * semaphores, message queues and the kernel's lock. Threads may return from their functions.
 *
 * Source: the reference of CMSIS-RTOS2. */

enum {
    OS_OK = 0,
    OS_ERROR = -1,
    OS_TIMEOUT = -2,
    OS_RESOURCE = -3,
    OS_PARAMETER = -4
};
#define OS_RECURSIVE 1

struct kripke_os_attributes {
    const char *name;
    uint32_t bits;
};

int osKernelInitialize(void)
{
    return OS_OK;
}

int osKernelStart(void)
{
    vTaskStartScheduler();
    return OS_OK;
}

static void finish_thread(void *result)
{
    (void)result;
    may_switch();
    if (is_alone())
        __kripke_unsupported("a thread that ends where no other can run");
    tasks[__kripke_thread_self()].state = DELETED;
}

static void __kripke_priority_of_cmsis(void)
{
    __kripke_unsupported("priority inversion of threads of CMSIS-RTOS");
}

struct kripke_task *osThreadNew(void (*function)(void *), void *argument,
                                const struct kripke_os_attributes *attributes)
{
    unsigned number;
    prepare_creation();
    __kripke_priority_of_cmsis();
    __kripke_thread_publishes();
    number = __kripke_thread_create((void *(*)(void *))function, argument, finish_thread);
    note_task(number, attributes != NULL ? attributes->name : NULL, 0);
    return &tasks[number];
}

_Noreturn void osThreadExit(void)
{
    vTaskDelete(NULL);
    __kripke_thread_end();
}

int osThreadTerminate(struct kripke_task *task)
{
    if (task == NULL)
        return OS_PARAMETER;
    vTaskDelete(task);
    return OS_OK;
}

int osThreadYield(void)
{
    may_switch();
    return OS_OK;
}

struct kripke_task *osThreadGetId(void)
{
    return xTaskGetCurrentTaskHandle();
}

int osDelay(uint32_t time)
{
    vTaskDelay((kripke_ticks)time);
    return OS_OK;
}

uint32_t osKernelGetTickCount(void)
{
    return xTaskGetTickCount();
}

int osKernelLock(void)
{
    if (suspensions != 0)
        return 1;
    vTaskSuspendAll();
    return 0;
}

int osKernelUnlock(void)
{
    if (suspensions == 0)
        return 0;
    (void)xTaskResumeAll();
    return 1;
}

/* What a call returns that did not get what it wanted. */
static int missed(uint32_t time)
{
    return time == 0 ? OS_RESOURCE : OS_TIMEOUT;
}

static kripke_ticks ticks(uint32_t time)
{
    return time == 0xffffffff ? FOREVER : time == 0 ? 0 : 1;
}

struct kripke_queue *osMutexNew(const struct kripke_os_attributes *attributes)
{
    _Bool recursive = attributes != NULL && (attributes->bits & OS_RECURSIVE) != 0;
    return xQueueCreateMutex(recursive ? RECURSIVE : MUTEX);
}

/* Whether a kernel tells a holder that it holds the mutex, or lets it wait, is left open. */
int osMutexAcquire(struct kripke_queue *mutex, uint32_t time)
{
    if (mutex == NULL)
        return OS_PARAMETER;
    if (mutex->type == RECURSIVE)
        return xQueueTakeMutexRecursive(mutex, ticks(time)) ? OS_OK : missed(time);
    if (mutex->holder == myself() && __kripke_nondet_bool("osMutexAcquire"))
        return OS_RESOURCE;
    return xQueueSemaphoreTake(mutex, ticks(time)) ? OS_OK : missed(time);
}

int osMutexRelease(struct kripke_queue *mutex)
{
    if (mutex == NULL)
        return OS_PARAMETER;
    if (mutex->holder != myself())
        return OS_RESOURCE;
    if (mutex->type == RECURSIVE)
        (void)xQueueGiveMutexRecursive(mutex);
    else
        (void)xQueueGenericSend(mutex, NULL, 0, TO_BACK);
    return OS_OK;
}

struct kripke_queue *osSemaphoreNew(uint32_t most, uint32_t messages, const void *attributes)
{
    (void)attributes;
    return with_messages(new_queue(most, 0, COUNTING, 0), messages);
}

int osSemaphoreAcquire(struct kripke_queue *semaphore, uint32_t time)
{
    if (semaphore == NULL)
        return OS_PARAMETER;
    return xQueueSemaphoreTake(semaphore, ticks(time)) ? OS_OK : missed(time);
}

int osSemaphoreRelease(struct kripke_queue *semaphore)
{
    if (semaphore == NULL)
        return OS_PARAMETER;
    return xQueueGenericSend(semaphore, NULL, 0, TO_BACK) ? OS_OK : OS_RESOURCE;
}

uint32_t osSemaphoreGetCount(struct kripke_queue *semaphore)
{
    return semaphore == NULL ? 0 : (uint32_t)uxQueueMessagesWaiting(semaphore);
}

struct kripke_queue *osMessageQueueNew(uint32_t length, uint32_t size, const void *attributes)
{
    (void)attributes;
    return new_queue(length, size, QUEUE, 0);
}

int osMessageQueuePut(struct kripke_queue *queue, const void *message, unsigned char priority, uint32_t time)
{
    if (queue == NULL || message == NULL)
        return OS_PARAMETER;
    if (priority != 0)
        __kripke_unsupported("osMessageQueuePut with a priority");
    return xQueueGenericSend(queue, message, ticks(time), TO_BACK) ? OS_OK : missed(time);
}

int osMessageQueueGet(struct kripke_queue *queue, void *message, unsigned char *priority, uint32_t time)
{
    if (queue == NULL || message == NULL)
        return OS_PARAMETER;
    if (!xQueueReceive(queue, message, ticks(time)))
        return missed(time);
    if (priority != NULL) {
        __kripke_thread_races_to_write(priority, 1);
        *priority = 0;
    }
    return OS_OK;
}

uint32_t osMessageQueueGetCount(struct kripke_queue *queue)
{
    return queue == NULL ? 0 : (uint32_t)uxQueueMessagesWaiting(queue);
}

uint32_t osMessageQueueGetSpace(struct kripke_queue *queue)
{
    return queue == NULL ? 0 : (uint32_t)uxQueueSpacesAvailable(queue);
}
