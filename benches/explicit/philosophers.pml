/* Dining philosophers; the last one takes the forks in the other order, so that nobody starves all. */
#ifndef N
#define N 10
#endif

#define FIRST (_pid == N - 1 -> 0 : _pid)
#define SECOND (_pid == N - 1 -> N - 1 : _pid + 1)

bool fork[N];
byte eating;

active [N] proctype philosopher() {
	do
	:: skip;
	   d_step { !fork[FIRST] -> fork[FIRST] = true };
	   d_step { !fork[SECOND] -> fork[SECOND] = true; eating++; assert(eating <= N / 2) };
	   d_step { eating--; fork[FIRST] = false };
	   d_step { fork[SECOND] = false }
	od
}

ltl progress { [] <> (eating > 0) }
