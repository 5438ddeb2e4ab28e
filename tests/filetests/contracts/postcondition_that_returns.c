// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `count` returns from within a condition

int calls;

void count(void)
    __CPROVER_ensures(({ if (calls) return; 0; }))
{
    calls++;
}

int main(void)
{
    count();
}
