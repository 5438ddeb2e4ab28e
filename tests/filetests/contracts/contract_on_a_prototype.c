// kripke: check
// verdict: violated
// violates: precondition@9

int limited(int level) __CPROVER_requires(level <= 100);

int main(void)
{
    return limited(101);
}

int limited(int level)
{
    return level;
}
