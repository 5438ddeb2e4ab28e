static inline void unlock(void) {}
void start(void)
{
    unlock();
}
