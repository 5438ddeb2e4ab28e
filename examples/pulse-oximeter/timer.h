/* The system's clock: one tick every 10 ms, counted by the compare interrupt of timer 0.
 *
 * Nothing in the firmware waits. Who needs time notes the tick at which something began and asks, round after
 * round of the main loop, whether enough ticks have passed.
 */
#ifndef TIMER_H
#define TIMER_H

#include <stdbool.h>
#include <stdint.h>

#define TICKS_PER_SECOND 100

void timer_initialise(void);

/* Takes over what the interrupt has counted. Called once per round, so that all parts of a round see the same
   time. */
void timer_step(void);

/* The time of this round, in ticks. It wraps; compare times with timer_since only. */
uint8_t timer_now(void);

/* Ticks from `start` to the time of this round, correct for up to 255. */
uint8_t timer_since(uint8_t start);

/* True in a round that is the first since a tick. What need not be done more often is done in such rounds
   only. */
bool timer_ticked(void);

/* True in the one round in which a second has ended. */
bool timer_second_ended(void);

#endif
