/* POSIX: what programs for a board with an operating system commonly call. */
#ifndef KRIPKE_UNISTD_H
#define KRIPKE_UNISTD_H
#include <sys/types.h>
#define __need_NULL
#include <stddef.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
void _exit(int) __attribute__((__noreturn__));
int access(const char *, int);
unsigned int alarm(unsigned int);
int close(int);
int dup(int);
pid_t fork(void);
pid_t getpid(void);
int isatty(int);
off_t lseek(int, off_t, int);
int pause(void);
ssize_t read(int, void *, size_t);
unsigned int sleep(unsigned int);
int unlink(const char *);
int usleep(useconds_t);
pid_t vfork(void);
ssize_t write(int, const void *, size_t);
void swab(const void *__restrict, void *__restrict, ssize_t);
#endif
