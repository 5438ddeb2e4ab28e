// kripke: check --entry pick
// verdict: violated
// violates: postcondition@10

int table[4];

int pick(int i)
    __CPROVER_requires(0 <= i && i <= 4)
    __CPROVER_ensures(__CPROVER_return_value == 0 || i < 4)
    __CPROVER_ensures(__CPROVER_return_value != 7 || i == 1)
{
    if (i == 4)
        return 0;
    if (i == 3)
        return 7;
    return table[i];
}
