/* The finger clip: a red and an infrared lamp on one side, a photodiode on the other.
 *
 * The lamps shine in turn, and the converter measures what comes through. One red and one infrared value make
 * a pair.
 */
#ifndef SENSOR_H
#define SENSOR_H

#include <stdbool.h>
#include <stdint.h>

struct sensor_pair {
    uint8_t red;
    uint8_t infrared;
};

void sensor_initialise(void);
void sensor_start(void);
void sensor_stop(void);

/* Goes on with the measurement when a conversion is finished. */
void sensor_step(void);

/* Takes the pair that is complete; false when there is none. */
bool sensor_take(struct sensor_pair *pair);

/* Nothing in the clip: so much light that the converter is at its end. */
bool sensor_is_empty(void);

#endif
