/* Runs a program, which notes its line and its value, with inputs from many seeds, each in a process of its
 * own: a line per seed: `V value`, `S line` where it was stopped, `E` where it ended early, `T` where it did
 * not end. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int program(void);
volatile int *native_line;
volatile unsigned *native_value;
static unsigned long long state;

unsigned char __VERIFIER_nondet_uchar(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned char)(state >> 56);
}

int main(int count, char **arguments)
{
    int seeds = count > 1 ? atoi(arguments[1]) : 1;
    void *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    native_line = shared;
    native_value = (unsigned *)shared + 1;
    for (int seed = 0; seed < seeds; seed++) {
        int status;
        native_value[0] = 0;
        state = (unsigned long long)seed * 0x9e3779b97f4a7c15ull + 1;
        pid_t child = fork();
        if (child == 0) {
            alarm(2);
            _exit(program() & 0);
        }
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            printf("T\n");
        else if (status != 0)
            printf("S %d\n", *native_line);
        else if (native_value[0])
            printf("V %u\n", native_value[1]);
        else
            printf("E\n");
        fflush(stdout);
    }
    return 0;
}
