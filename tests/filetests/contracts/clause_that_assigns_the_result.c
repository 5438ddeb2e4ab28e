// kripke: check
// verdict: error
// exit: 3
// prints: cannot assign to variable 'kripke_result' with const-qualified type

int seven(void) __CPROVER_ensures((__CPROVER_return_value = 0) == 0) { return 7; }

int main(void)
{
    return seven();
}
