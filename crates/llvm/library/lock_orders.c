/* Orders of locks. A part of the modules of threads.c and of freertos.c.
 *
 * Who locks a lock while it holds another one makes a link from that to this. Each thread chooses one of the
 * links that it makes, if any. If a link closes a circle with those of others, the threads may wait for each
 * other in some run, if nothing else prevents it. Of the locks that a thread holds one is looked at, which is
 * chosen too.
 *
 * Two that read do not wait for each other, even if one waits to write, as in glibc. So at each lock of a
 * circle the one who holds it or the one who wants it has to be alone. */

#define LOCKERS 9

static const void *chosen_lock[LOCKERS];
static const void *link_from[LOCKERS], *link_to[LOCKERS];
/* Whether it is held alone, and wanted so. */
static _Bool chosen_alone[LOCKERS];
static _Bool from_alone[LOCKERS], to_alone[LOCKERS];

/* The way along the links; as many times as it may have links, as they come in any order. */
#define GO_ON(thread)                                                                              \
    if (link_from[thread] == at && (alone || from_alone[thread])) {                                \
        at = link_to[thread];                                                                      \
        alone = to_alone[thread];                                                                  \
        closes |= at == held && (alone || held_alone);                                             \
    }
#define GO_ROUND                                                                                   \
    GO_ON(0) GO_ON(1) GO_ON(2) GO_ON(3) GO_ON(4) GO_ON(5) GO_ON(6) GO_ON(7) GO_ON(8)

/* A thread is about to wait for a lock. */
static void __kripke_lock_order_before(const void *lock, _Bool alone)
{
    unsigned self = __kripke_thread_self();
    const void *held = chosen_lock[self], *at = lock;
    _Bool held_alone = chosen_alone[self], wanted = alone, closes = 0;
    if (held == NULL || held == lock || link_from[self] != NULL)
        return;
    GO_ROUND GO_ROUND GO_ROUND GO_ROUND GO_ROUND GO_ROUND GO_ROUND GO_ROUND
    __kripke_assert_lock_order(!closes, "a thread that holds this lock locks the one that is held here");
    if (__kripke_choose()) {
        link_from[self] = held;
        from_alone[self] = held_alone;
        link_to[self] = lock;
        to_alone[self] = wanted;
    }
}

/* It has got the lock. */
static void __kripke_lock_order_after(const void *lock, _Bool alone)
{
    unsigned self = __kripke_thread_self();
    if (chosen_lock[self] == NULL && __kripke_choose()) {
        chosen_lock[self] = lock;
        chosen_alone[self] = alone;
    }
}

/* It gives it back. */
static void __kripke_lock_order_release(const void *lock)
{
    if (chosen_lock[__kripke_thread_self()] == lock)
        chosen_lock[__kripke_thread_self()] = NULL;
}
