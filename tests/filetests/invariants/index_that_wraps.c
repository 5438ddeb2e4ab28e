// kripke: check
// verdict: holds
// No assertion says where the index stays: the bound is found.

_Bool nondet_bool(void);
char memory[8];
unsigned char head;

int main(void)
{
    for (;;)
        if (nondet_bool()) {
            memory[head] = 1;
            head++;
            if (head == 8)
                head = 0;
        }
}
