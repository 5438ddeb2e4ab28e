/* Oxygen saturation and heart rate from the sensor's pairs.
 *
 * Blood that carries oxygen lets more red light through. The saturation follows from the ratio of the swings
 * that the pulse causes in the red and in the infrared light; the heart rate is the number of those swings
 * per minute.
 */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

void measurement_initialise(void);

/* Asks for a measurement. It begins in this round; one that runs begins anew. */
void measurement_call_start(void);

void measurement_stop(void);

/* Begins a measurement that was asked for, and goes on with one that runs. */
void measurement_step(void);

bool measurement_runs(void);

/* Per cent, 0 while unknown. */
uint8_t measurement_saturation(void);

/* Beats per minute, 0 while unknown. */
uint8_t measurement_heart_rate(void);

/* The last saturation was too low. */
bool measurement_alarm(void);

#endif
