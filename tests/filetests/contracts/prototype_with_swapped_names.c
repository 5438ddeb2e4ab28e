// kripke: check
// verdict: error
// exit: 3
// prints: name the parameters alike

int f(int low, int high) __CPROVER_requires(low <= high);
int f(int high, int low) { return high - low; }

int main(void) { return f(1, 2); }
