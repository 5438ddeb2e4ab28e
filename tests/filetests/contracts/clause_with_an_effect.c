// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `next` has a side effect: it calls `next`

int state;

int next(int by)
    __CPROVER_requires(by > 0)
    __CPROVER_ensures(state == next(0))
{
    return state += by;
}

int main(void)
{
    return next(1);
}
