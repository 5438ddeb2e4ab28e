/* Priority inversion. A part of the modules of threads.c and of freertos.c, which say by PRIORITY what was
 * given to a thread.
 *
 * A thread that begins to wait for a lock looks whether one of lower priority holds it, and whether a third
 * one in between can run. That is enough: nobody can tell that a thread has begun to wait, so whatever others
 * do while it waits they may as well do before. */

#define LOOK_AT(thread)                                                                            \
    if (PRIORITY(thread) > low && PRIORITY(thread) < high)                                         \
        found |= __kripke_thread_is_ready(thread);

/* Can a thread run whose priority is between two? */
static _Bool is_ready_between(unsigned long low, unsigned long high)
{
    _Bool found = 0;
    if (high > low) {
        LOOK_AT(0) LOOK_AT(1) LOOK_AT(2) LOOK_AT(3) LOOK_AT(4) LOOK_AT(5) LOOK_AT(6) LOOK_AT(7) LOOK_AT(8)
    }
    return found;
}
