// kripke: check --check none
// verdict: holds
// ltl: X {jobs[0] == 1}

static int jobs[4];
int main(void)
{
    jobs[1] = 5;
    jobs[2] = 5;
    jobs[0] = 1;
    return 0;
}
