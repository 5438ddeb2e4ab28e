// kripke: check
// verdict: violated
// violates: assertion@90

// What is unpacked lies one byte further back than what was packed, where that was two bytes back.
#define TOO_FAR(distance) ((distance) == 2)
#include "run_length.c"
