//! The kinds of properties of threads and handlers, explained.

use super::Explanation;

pub const DEADLOCK: Explanation = Explanation {
    name: "deadlock",
    title: "threads wait for each other, and none of them can go on",
    meaning: "Each of these threads waits for a lock, a signal or the end of another one that will never \
        come. The trace ends with what each waits for.",
    example: "\
/* kripke check example.c */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
    pthread_mutex_lock(&b); pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a); pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
}",
    cure: "Lock in one order everywhere, hold one lock at a time, or wait with a time limit and give up what \
        is held.",
};

pub const LOCK_ORDER: Explanation = Explanation {
    name: "lock-order",
    title: "threads lock the same locks in different orders",
    meaning: "One thread locks A and then B, another B and then A. That is a deadlock where both are at it \
        at once, in this version of the program or in the next.",
    example: "\
/* kripke check example.c --check lock-order */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
    pthread_mutex_lock(&b); pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a); pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
}",
    cure: "Give the locks an order, and lock them in that order everywhere.",
};

pub const PRIORITY_INVERSION: Explanation = Explanation {
    name: "priority-inversion",
    title: "a thread waits for one of lower priority, and one in between can run",
    meaning: "The thread that holds the lock has a lower priority than the one that waits for it, and a \
        third one whose priority is in between keeps the holder from giving it back, for as long as it \
        likes.",
    example: "\
/* kripke check example.c --check priority-inversion */
#include <pthread.h>
static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;
static void *user(void *unused) {
    pthread_mutex_lock(&bus); pthread_mutex_unlock(&bus);
    return unused;
}
static void *busy(void *unused) { return unused; }
static void start(void *(*function)(void *), int priority) {
    pthread_attr_t attributes;
    struct sched_param parameters = {.sched_priority = priority};
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setschedparam(&attributes, &parameters);
    pthread_create(&thread, &attributes, function, 0);
}
int main(void) { start(user, 1); start(busy, 2); start(user, 3); }",
    cure: "Use a lock that inherits priorities (PTHREAD_PRIO_INHERIT, a mutex of FreeRTOS), or none that \
        both share.",
};

pub const THREAD_LEAK: Explanation = Explanation {
    name: "thread-leak",
    title: "a thread has ended, and was neither joined nor detached",
    meaning: "What the system keeps of the thread (its stack as a rule) stays until someone asks for its \
        result. A program that starts threads again and again runs out of memory.",
    example: "\
/* kripke check example.c --check thread-leak */
#include <pthread.h>
static void *work(void *unused) { return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
}",
    cure: "Join it, or detach it when it is started.",
};

pub const DATA_RACE: Explanation = Explanation {
    name: "data-race",
    title: "two threads access the same bytes at once, and one of them writes",
    meaning: "Nothing orders the two accesses, and they are not both atomic. C11 leaves open what such a \
        program does: values may be torn or old, and compilers may move the accesses.",
    example: "\
/* kripke check example.c --check data-race */
#include <pthread.h>
static int shared;
static void *work(void *unused) { shared = 1; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen = shared;
    pthread_join(thread, 0);
    return seen;
}",
    cure: "Hold the same lock at both accesses, or make the object atomic (`_Atomic int`). `volatile` is no \
        cure.",
};

pub const TORN_ACCESS: Explanation = Explanation {
    name: "torn-access",
    title: "another one comes between the pieces of an access",
    meaning: "The machine makes the access in several pieces (two bytes of an `int` on an 8-bit processor), \
        and a handler or thread that accesses the object comes in between. One of them sees half of the old \
        and half of the new value.",
    example: "\
/* kripke check example.c --target avr --interrupt tick --check torn-access */
#include <stdint.h>
static volatile uint16_t ticks;
void tick(void) { ticks++; }
int main(void) {
    while (ticks < 1000) { }
}",
    cure: "Disable interrupts around the access (`ATOMIC_BLOCK`), hold a lock, or read until two reads \
        agree.",
};

pub const ATOMICITY: Explanation = Explanation {
    name: "atomicity",
    title: "another one comes between two accesses that belong together",
    meaning: "Between the two accesses a handler or another thread accesses the object so that what both see \
        fits to no order of the one after the other: a test that is outdated when its branch is taken, an \
        update that is lost.",
    example: "\
/* kripke check example.c --target avr --interrupt tick --check atomicity */
#include <stdint.h>
static volatile uint8_t events;
void tick(void) { events++; }
int main(void) {
    events--;
}",
    cure: "Disable interrupts or hold one lock over both accesses, or read once into a local variable and \
        work with that.",
};

pub const HANDLER_CALL: Explanation = Explanation {
    name: "handler-call",
    title: "a handler calls what is not safe there",
    meaning: "The function has state of its own (the heap, streams, `rand`), or may wait. The handler may \
        have interrupted it in the midst of a change.",
    example: "\
/* kripke check example.c --interrupt button --check handler-call */
#include <stdio.h>
void button(void) { printf(\"pressed\\n\"); }
int main(void) {
    for (;;) { }
}",
    cure: "Let the handler note what happened, and the main loop do the rest; of FreeRTOS take the functions \
        that end in FromISR.",
};
