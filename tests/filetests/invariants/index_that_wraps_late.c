// kripke: check
// verdict: violated
// violates: bounds@14
// The index comes out of the array before it wraps: no bound may be believed that its last step breaks.

_Bool nondet_bool(void);
char memory[8];
unsigned char head;

int main(void)
{
    for (;;)
        if (nondet_bool()) {
            memory[head] = 1;
            head++;
            if (head == 9)
                head = 0;
        }
}
