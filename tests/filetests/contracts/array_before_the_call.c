// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `spoil` keeps the address of an array or object, not what it holds

int table[4];

void spoil(void) __CPROVER_ensures(table[0] == __CPROVER_old(table)[0])
{
    table[0]++;
}

int main(void)
{
    spoil();
}
