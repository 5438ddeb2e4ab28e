// kripke: check no_such_file.c
// verdict: error
// prints: no_such_file.c

int main(void)
{
    return 0;
}
