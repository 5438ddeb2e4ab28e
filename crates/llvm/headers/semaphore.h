/* POSIX: semaphores. Those that have names are only declared. */
#ifndef KRIPKE_SEMAPHORE_H
#define KRIPKE_SEMAPHORE_H
#include <time.h>
typedef struct {
  __UINT32_TYPE__ __value;
} sem_t;
#define SEM_VALUE_MAX __INT_MAX__
#define SEM_FAILED ((sem_t *)0)
struct timespec;
int sem_init(sem_t *, int, unsigned int);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *__restrict, const struct timespec *__restrict);
int sem_clockwait(sem_t *__restrict, int, const struct timespec *__restrict);
int sem_post(sem_t *);
int sem_getvalue(sem_t *__restrict, int *__restrict);
sem_t *sem_open(const char *, int, ...);
int sem_close(sem_t *);
int sem_unlink(const char *);
#endif
