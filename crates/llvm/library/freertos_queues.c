/* FreeRTOS: queues, and the semaphores and mutexes that are queues without data. A part of the module of
 * freertos.c.
 *
 * Idea: the two words of a queue say how many messages and how much space it has, and tasks wait for them.
 * The messages lie one behind the other from the beginning, so that queues with the same messages are the
 * same.
 *
 * Invariant: between two switches the messages and the space are as many as the queue is long, and a mutex
 * has a message while it has no holder. */

enum { QUEUE, MUTEX, COUNTING, BINARY, RECURSIVE };
enum { TO_BACK, TO_FRONT, OVERWRITE };

struct kripke_queue {
    uint32_t messages;
    uint32_t space;
    uint32_t length;
    uint32_t stored; /* messages whose bytes are there */
    size_t item_size;
    unsigned char *items;
    uint32_t holder; /* the number of the task that holds a mutex, and 1 */
    uint32_t depth;  /* how often its holder took it again */
    uint32_t taker;  /* the number of the task that took a semaphore, and 1 */
    unsigned char type;
    _Bool is_inverted; /* one of higher priority waited for it, while one in between could run */
};

static struct kripke_queue *new_queue(uint32_t length, size_t item_size, unsigned char type,
                                      _Bool must_succeed)
{
    struct kripke_queue *queue = malloc(sizeof *queue);
    unsigned char *items = item_size == 0 ? NULL : malloc(length * item_size);
    may_switch();
    __kripke_assert(length > 0, "a queue of no length");
    if (must_succeed)
        __kripke_assume(queue != NULL && (item_size == 0 || items != NULL));
    if (queue == NULL || (item_size != 0 && items == NULL)) {
        free(items);
        free(queue);
        return NULL;
    }
    queue->messages = 0;
    queue->space = length;
    queue->length = length;
    queue->stored = 0;
    queue->item_size = item_size;
    queue->items = items;
    queue->holder = 0;
    queue->depth = 0;
    queue->taker = 0;
    queue->type = type;
    queue->is_inverted = 0;
    return queue;
}

struct kripke_queue *xQueueGenericCreate(kripke_ubase length, kripke_ubase item_size, unsigned char type)
{
    return new_queue(length, item_size, type, 0);
}

struct kripke_queue *xQueueGenericCreateStatic(kripke_ubase length, kripke_ubase item_size,
                                               unsigned char *storage, void *queue, unsigned char type)
{
    __kripke_assert(queue != NULL, "the memory for a queue is null");
    __kripke_assert((storage != NULL) == (item_size != 0), "the storage of a queue does not fit");
    return new_queue(length, item_size, type, 1);
}

static struct kripke_queue *with_messages(struct kripke_queue *queue, uint32_t messages)
{
    if (queue != NULL) {
        __kripke_assert(messages <= queue->length, "a semaphore that begins with more than it can count");
        queue->messages = messages;
        queue->stored = messages;
        queue->space = queue->length - messages;
    }
    return queue;
}

struct kripke_queue *xQueueCreateMutex(unsigned char type)
{
    return with_messages(new_queue(1, 0, type, 0), 1);
}

struct kripke_queue *xQueueCreateMutexStatic(unsigned char type, void *queue)
{
    __kripke_assert(queue != NULL, "the memory for a mutex is null");
    return with_messages(new_queue(1, 0, type, 1), 1);
}

struct kripke_queue *xQueueCreateCountingSemaphore(kripke_ubase most, kripke_ubase messages)
{
    return with_messages(new_queue(most, 0, COUNTING, 0), messages);
}

struct kripke_queue *xQueueCreateCountingSemaphoreStatic(kripke_ubase most, kripke_ubase messages,
                                                         void *queue)
{
    __kripke_assert(queue != NULL, "the memory for a semaphore is null");
    return with_messages(new_queue(most, 0, COUNTING, 1), messages);
}

void vQueueDelete(struct kripke_queue *queue)
{
    may_switch();
    __kripke_assert(queue != NULL, "vQueueDelete: the queue is null");
    free(queue->items);
    free(queue);
}

static _Bool is_mutex(const struct kripke_queue *queue)
{
    return (queue->type == MUTEX) | (queue->type == RECURSIVE);
}

/* Priority inversion. Mutexes give their holders the priority of those who wait. Who takes a semaphore and
 * gives it back uses it as a lock; what others give is a signal. */

static _Bool is_one(const struct kripke_queue *queue)
{
    return queue->item_size == 0 && queue->length == 1 && !is_mutex(queue);
}

/* A task is about to wait for a semaphore. */
static void __kripke_priority_before(struct kripke_queue *queue)
{
    if (is_alone())
        return;
    __kripke_thread_switch();
    if (is_one(queue) && queue->messages == 0 && queue->taker != 0)
        queue->is_inverted |= is_ready_between(PRIORITY(queue->taker - 1), PRIORITY(__kripke_thread_self()));
}

static void __kripke_priority_taken(struct kripke_queue *queue)
{
    if (is_one(queue))
        queue->taker = myself();
}

static void __kripke_priority_given(struct kripke_queue *queue)
{
    if (queue->taker == myself())
        __kripke_assert_priority_inversion(
            !queue->is_inverted,
            "a task waited for this one of lower priority, while one in between could run");
    queue->taker = 0;
    queue->is_inverted = 0;
}

/* Sending. */

static void insert(struct kripke_queue *queue, const void *item, kripke_base position)
{
    size_t size = queue->item_size;
    unsigned char *to = queue->items;
    if (size != 0) {
        if (position == TO_FRONT)
            memmove(to + size, to, (queue->length - 1) * size);
        else if (position == TO_BACK)
            to += queue->stored * size;
        memcpy(to, item, size);
    }
    queue->stored++;
    queue->messages++;
}

static void require_sending(const struct kripke_queue *queue, const void *item, kripke_base position)
{
    __kripke_assert(queue != NULL, "the queue is null");
    __kripke_assert(item != NULL || queue->item_size == 0, "the message for a queue is null");
    __kripke_assert(position != OVERWRITE || queue->length == 1, "xQueueOverwrite: a queue longer than 1");
}

static void require_holder(struct kripke_queue *queue)
{
    __kripke_assert(queue->holder == 0 || queue->holder == myself(),
                    "a mutex is given by a task that does not hold it");
}

static kripke_base overwrite(struct kripke_queue *queue, const void *item)
{
    may_switch();
    __kripke_thread_publishes();
    if (queue->space == 0) {
        queue->messages--;
        queue->stored--;
    } else {
        queue->space--;
    }
    __kripke_thread_races_to_read(item, queue->item_size);
    insert(queue, item, OVERWRITE);
    return PASS;
}

static kripke_base send(struct kripke_queue *queue, const void *item, kripke_ticks time, kripke_base position)
{
    if (position == OVERWRITE)
        return overwrite(queue, item);
    if (!wait_for(&queue->space, time))
        return FAIL;
    __kripke_thread_publishes();
    __kripke_priority_given(queue);
    queue->space--;
    if (queue->item_size != 0)
        __kripke_thread_races_to_read(item, queue->item_size);
    insert(queue, item, position);
    return PASS;
}

kripke_base xQueueGenericSend(struct kripke_queue *queue, const void *item, kripke_ticks time,
                              kripke_base position)
{
    require_sending(queue, item, position);
    if (is_mutex(queue)) {
        may_switch();
        require_holder(queue);
        if (queue->space == 0)
            return FAIL;
        __kripke_thread_publishes();
        __kripke_lock_order_release(queue);
        queue->holder = 0;
        queue->space--;
        insert(queue, NULL, TO_BACK);
        return PASS;
    }
    return send(queue, item, time, position);
}

kripke_base xQueueGenericSendFromISR(struct kripke_queue *queue, const void *item, kripke_base *woken,
                                     kripke_base position)
{
    kripke_base result;
    require_sending(queue, item, position);
    __kripke_assert(!is_mutex(queue), "a mutex is given by the handler of an interrupt");
    queue->holder = 0;
    result = send(queue, item, 0, position);
    if (result)
        tell_woken(woken);
    return result;
}

kripke_base xQueueGiveFromISR(struct kripke_queue *queue, kripke_base *woken)
{
    return xQueueGenericSendFromISR(queue, NULL, woken, TO_BACK);
}

/* Receiving. */

static void require_receiving(const struct kripke_queue *queue, const void *buffer)
{
    __kripke_assert(queue != NULL, "the queue is null");
    __kripke_assert(buffer != NULL || queue->item_size == 0, "the buffer for a message is null");
}

/* The bytes behind the last message are forgotten, so that nothing tells what was there. */
static void take_out(struct kripke_queue *queue, void *buffer)
{
    size_t size = queue->item_size;
    queue->stored--;
    if (size != 0) {
        memcpy(buffer, queue->items, size);
        memmove(queue->items, queue->items + size, (queue->length - 1) * size);
        memset(queue->items + queue->stored * size, 0, size);
    }
    queue->space++;
}

/* Waits for a message, as wait_for does. */
static _Bool wait_to_receive(struct kripke_queue *queue, kripke_ticks time)
{
    if (!is_mutex(queue) || time != FOREVER || is_alone())
        return wait_for(&queue->messages, time);
    require_others(time);
    __kripke_lock_order_before(queue, 1);
    __kripke_thread_wait_free(&queue->holder);
    return 1;
}

static kripke_base receive(struct kripke_queue *queue, void *buffer, kripke_ticks time)
{
    require_receiving(queue, buffer);
    if (time != 0)
        __kripke_priority_before(queue);
    if (!wait_to_receive(queue, time))
        return FAIL;
    __kripke_priority_taken(queue);
    if (!is_mutex(queue))
        __kripke_thread_waited();
    queue->messages--;
    if (queue->item_size != 0)
        __kripke_thread_races_to_write(buffer, queue->item_size);
    take_out(queue, buffer);
    if (is_mutex(queue)) {
        queue->holder = myself();
        __kripke_lock_order_after(queue, 1);
    }
    return PASS;
}

static kripke_base peek(struct kripke_queue *queue, void *buffer, kripke_ticks time)
{
    require_receiving(queue, buffer);
    __kripke_thread_races_to_write(buffer, queue->item_size);
    if (!wait_for(&queue->messages, time))
        return FAIL;
    __kripke_thread_waited();
    memcpy(buffer, queue->items, queue->item_size);
    return PASS;
}

kripke_base xQueueReceive(struct kripke_queue *queue, void *buffer, kripke_ticks time)
{
    return receive(queue, buffer, time);
}

kripke_base xQueuePeek(struct kripke_queue *queue, void *buffer, kripke_ticks time)
{
    return peek(queue, buffer, time);
}

kripke_base xQueueGenericReceive(struct kripke_queue *queue, void *buffer, kripke_ticks time,
                                 kripke_base peeks)
{
    return peeks ? peek(queue, buffer, time) : receive(queue, buffer, time);
}

kripke_base xQueueAltGenericReceive(struct kripke_queue *queue, void *buffer, kripke_ticks time,
                                    kripke_base peeks)
{
    return xQueueGenericReceive(queue, buffer, time, peeks);
}

kripke_base xQueueReceiveFromISR(struct kripke_queue *queue, void *buffer, kripke_base *woken)
{
    kripke_base result = receive(queue, buffer, 0);
    if (result)
        tell_woken(woken);
    return result;
}

kripke_base xQueuePeekFromISR(struct kripke_queue *queue, void *buffer)
{
    return peek(queue, buffer, 0);
}

kripke_base xQueueSemaphoreTake(struct kripke_queue *queue, kripke_ticks time)
{
    __kripke_assert(queue == NULL || queue->item_size == 0, "the semaphore is a queue with messages");
    return receive(queue, NULL, time);
}

/* Mutexes that their holders take again. Who holds one only its holder can change. */

kripke_base xQueueTakeMutexRecursive(struct kripke_queue *queue, kripke_ticks time)
{
    kripke_base result;
    __kripke_assert(queue != NULL, "the mutex is null");
    if (queue->holder == myself()) {
        queue->depth++;
        return PASS;
    }
    result = receive(queue, NULL, time);
    if (result)
        queue->depth = 1;
    return result;
}

kripke_base xQueueGiveMutexRecursive(struct kripke_queue *queue)
{
    __kripke_assert(queue != NULL, "the mutex is null");
    if (queue->holder != myself())
        return FAIL;
    if (--queue->depth == 0)
        (void)xQueueGenericSend(queue, NULL, 0, TO_BACK);
    return PASS;
}

struct kripke_task *xQueueGetMutexHolder(struct kripke_queue *queue)
{
    may_switch();
    return is_mutex(queue) && queue->holder != 0 ? &tasks[queue->holder - 1] : NULL;
}

struct kripke_task *xQueueGetMutexHolderFromISR(struct kripke_queue *queue)
{
    return xQueueGetMutexHolder(queue);
}

/* Questions. */

kripke_ubase uxQueueMessagesWaiting(const struct kripke_queue *queue)
{
    may_switch();
    __kripke_assert(queue != NULL, "the queue is null");
    return queue->messages;
}

kripke_ubase uxQueueMessagesWaitingFromISR(const struct kripke_queue *queue)
{
    return uxQueueMessagesWaiting(queue);
}

kripke_ubase uxQueueSpacesAvailable(const struct kripke_queue *queue)
{
    may_switch();
    __kripke_assert(queue != NULL, "the queue is null");
    return queue->space;
}

kripke_base xQueueIsQueueEmptyFromISR(const struct kripke_queue *queue)
{
    return uxQueueMessagesWaiting(queue) == 0;
}

kripke_base xQueueIsQueueFullFromISR(const struct kripke_queue *queue)
{
    return uxQueueSpacesAvailable(queue) == 0;
}

kripke_base xQueueGenericReset(struct kripke_queue *queue, kripke_base is_new)
{
    (void)is_new;
    may_switch();
    __kripke_assert(queue != NULL, "the queue is null");
    if (is_mutex(queue))
        __kripke_unsupported("a mutex that is reset");
    queue->taker = 0;
    queue->is_inverted = 0;
    queue->messages = 0;
    queue->stored = 0;
    queue->space = queue->length;
    return PASS;
}

void vQueueAddToRegistry(struct kripke_queue *queue, const char *name)
{
    (void)queue;
    (void)name;
}

void vQueueUnregisterQueue(struct kripke_queue *queue)
{
    (void)queue;
}
