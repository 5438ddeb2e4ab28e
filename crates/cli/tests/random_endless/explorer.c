
static unsigned char states[MOST_STATES][MOST_BYTES];
static int count, table[TABLE];

/* Adds the state of the program if it is new; false where there are too many. */
static int add(void) {
    unsigned char bytes[MOST_BYTES] = {0};
    copy(bytes, 1);
    unsigned hash = 2166136261u;
    for (int i = 0; i < MOST_BYTES; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    unsigned slot = (hash ^ hash >> 15) % TABLE;
    for (; table[slot]; slot = (slot + 1) % TABLE)
        if (!memcmp(states[table[slot] - 1], bytes, MOST_BYTES))
            return 1;
    if (count == MOST_STATES)
        return 0;
    memcpy(states[count], bytes, MOST_BYTES);
    table[slot] = ++count;
    return 1;
}

/* The tape for the next run; false where all were tried. */
static int next_tape(void) {
    length = position;
    while (length && tape[length - 1] == last[length - 1])
        length--;
    if (!length)
        return 0;
    tape[length - 1]++;
    return 1;
}

int main(int arguments, char **texts) {
    for (int i = 1; i + 1 < arguments; i += 2)
        stops[atoi(texts[i])][atoi(texts[i + 1])] = 1;
    static unsigned char first[MOST_BYTES];
    static int from = -1, steps, fault, exhausted;
    for (copy(first, 1); from < count && !exhausted; from++) {
        length = 0;
        do {
            copy(from < 0 ? first : states[from], 0);
            position = 0;
            int ending = setjmp(out);
            if (ending == GOES_ON) {
                if (from < 0)
                    begin();
                else
                    step();
                exhausted |= !add();
            }
            fault |= ending == FAULT;
            exhausted |= ending == TOO_LONG || ++steps > MOST_STEPS;
        } while (!exhausted && next_tape());
    }
    printf(exhausted ? "exhausted\n" : "states %d\n", count);
    if (fault)
        printf("fault\n");
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < MOST_PREDICATES; j++)
            if (failed[i][j])
                printf("fails %d %d\n", i, j);
    for (int i = 0; i < MOST_INVARIANTS; i++)
        if (reached[i])
            printf("%s %d\n", broken[i] ? "broken" : "kept", i);
    return 0;
}
