/* Let the n-th call of a kind fail, once or from then on. Preloaded; see faults.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE, FSYNC, RENAME, ALLOCATION, KINDS };

static int armed, chosen, stays;
static long number, calls[KINDS];

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void arm(int kind, long n, int from_then_on) {
    chosen = kind, number = n, stays = from_then_on, armed = 1;
}

long disarm(int kind) {
    armed = 0;
    return calls[kind];
}

static int fails(int kind, int error) {
    if (!armed)
        return 0;
    calls[kind]++;
    if (kind != chosen || (stays ? calls[kind] < number : calls[kind] != number))
        return 0;
    errno = error;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *data, size_t size) {
    return file > 2 && fails(WRITE, ENOSPC) ? -1 : NEXT(write)(file, data, size);
}
int fsync(int file) { return fails(FSYNC, EIO) ? -1 : NEXT(fsync)(file); }
int rename(const char *from, const char *to) { return fails(RENAME, EACCES) ? -1 : NEXT(rename)(from, to); }
void *malloc(size_t size) { return fails(ALLOCATION, ENOMEM) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(ALLOCATION, ENOMEM) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(ALLOCATION, ENOMEM) ? NULL : __libc_realloc(old, size); }
