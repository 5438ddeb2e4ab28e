/* P1 of Figure 2: one write per iteration; s is 1 after an odd and 0 after an even number of iterations. */
int s = 0;

int main(void) {
    while (1) {
        s = 1 - s;
    }
}
