/* Peterson's algorithm for N processes. One statement is one step of the model in crates/explicit/tests/toys. */
#ifndef N
#define N 4
#endif

byte level[N];
byte last[N];
byte inside;

active [N] proctype process() {
	byte l = 1, k;
idle:
	level[_pid] = 1;
enter:
	last[l] = _pid;
	do
	:: d_step { k < N && (k == _pid || level[k] < l) -> k++ }
	:: d_step { k < N && !(k == _pid || level[k] < l) && last[l] != _pid -> k = N }
	:: d_step { k == N && l < N - 1 -> l++; k = 0; level[_pid] = l } goto enter
	:: d_step { k == N && l == N - 1 -> inside++; assert(inside == 1) } break
	od;
	atomic { inside--; level[_pid] = 0; l = 1; k = 0 };
	goto idle
}

ltl progress { [] <> (inside == 1) }
