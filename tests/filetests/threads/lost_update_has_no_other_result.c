// kripke: check
// verdict: holds
#include <assert.h>
#include <pthread.h>
static int balance = 10;
static void *deposit(void *unused)
{
    int seen = balance;
    balance = seen + 5;
    return unused;
}
static void *withdraw(void *unused)
{
    int seen = balance;
    balance = seen - 3;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 12 || balance == 7 || balance == 15);
    return 0;
}
