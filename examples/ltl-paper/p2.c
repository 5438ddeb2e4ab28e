/* P2 of Figure 2: every iteration ends with s == 0, a request that is still waiting for its answer. */
int s = 0;

int main(void) {
    while (1) {
        s = 1;
        s = 0;
    }
}
