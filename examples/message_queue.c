// Messages that come in at any time wait in a list of any length until they are sent.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct message {
    unsigned char number;
    struct message *next;
};

bool receiver_full(void);
unsigned char receiver_read(void);

static struct message *first, *last;

static void receive(void) {
    struct message *message = malloc(sizeof *message);
    message->number = receiver_read() % 100;
    message->next = NULL;
    if (first)
        last->next = message;
    else
        first = message;
    last = message;
}

static void send(void) {
    struct message *message = first;
    assert(message->number < 100);
    first = message->next;
    free(message);
}

int main(void) {
    for (;;) {
        if (receiver_full())
            receive();
        else if (first)
            send();
    }
}
