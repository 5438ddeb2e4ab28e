// kripke: check
// verdict: error
// exit: 3
// prints: has a side effect: it calls `isdigit`, which writes to an object

int calls;

static int isdigit(int character)
{
    calls++;
    return character >= '0' && character <= '9';
}

int value(int character) __CPROVER_requires(isdigit(character)) { return character - '0'; }

int main(void)
{
    return value('7');
}
