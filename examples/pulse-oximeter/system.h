/* The firmware as a whole: initialise once, then one step after the other. */
#ifndef SYSTEM_H
#define SYSTEM_H

/* Brings every part into its first state. Interrupts are still disabled when it returns. */
void system_initialise(void);

/* One round of the main loop: every part does a little and returns. */
void system_step(void);

#endif
