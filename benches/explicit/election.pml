/* Leader election in a ring of N nodes by Chang and Roberts. Nodes start when they like; the largest number wins. */
#ifndef N
#define N 8
#endif

chan ring[N] = [N] of { byte };
byte leaders;

active [N] proctype node() {
	byte number, message;
	d_step { number = (_pid * 3) % N + 1; ring[(_pid + 1) % N]!number };
	do
	:: d_step { nempty(ring[_pid]) ->
		ring[_pid]?message;
		if
		:: message > number -> ring[(_pid + 1) % N]!message
		:: message < number -> skip
		:: message == number -> leaders++; assert(leaders == 1)
		fi;
		message = 0 }
	od
}

ltl progress { <> (leaders == 1) }
