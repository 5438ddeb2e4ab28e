/* The counter of section 5.3: one more letter of the trace with every iteration. */
unsigned int i = 0;

int main(void) {
    while (1) {
        i++;
    }
}
