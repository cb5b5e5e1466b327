/* The few functions of the C library that snaphook-sandbox needs, over bare system calls.
 *
 * A static program of the usual C library spends longer starting up (some 0.2 ms on a virtual
 * machine, most of it asking the processor what it can do) than all of our confinement takes, and
 * we start in front of every confined command. Used on Linux for x86-64 and arm64; the build falls
 * back to the system's library elsewhere. No threads, so one errno.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int errno_here;
int *__errno_location(void) { return &errno_here; }
char **environ;
int main(int, char **);

#if defined(__x86_64__)
static long raw(long n, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
__asm__(".globl _start\n_start: xor %ebp,%ebp; mov %rsp,%rdi; and $-16,%rsp; call begin\n"
        "return_from_signal: mov $15,%eax; syscall\n");
/* clone(function, stack, flags, argument), for a process that shares our memory */
__asm__(".globl clone\nclone: and $-16,%rsi; sub $16,%rsi; mov %rcx,(%rsi); mov %rdi,8(%rsi); mov %edx,%edi\n"
        "xor %edx,%edx; xor %r10d,%r10d; xor %r8d,%r8d; mov $56,%eax; syscall; test %eax,%eax; jnz 1f\n"
        "xor %ebp,%ebp; pop %rdi; pop %rax; call *%rax; mov %eax,%edi; mov $231,%eax; syscall\n1: ret\n");
#elif defined(__aarch64__)
static long raw(long n, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
__asm__(".globl _start\n_start: mov x29,#0; mov x0,sp; and sp,x0,#-16; bl begin\n"
        "return_from_signal: mov x8,#139; svc 0\n");
__asm__(".globl clone\nclone: and x1,x1,#-16; stp x0,x3,[x1,#-16]!; uxtw x0,w2; mov x2,#0; mov x3,#0; mov x4,#0\n"
        "mov x8,#220; svc 0; cbz x0,1f; ret\n"
        "1: mov x29,#0; ldp x1,x0,[sp],#16; blr x1; mov x8,#94; svc 0\n");
#else
#error "use the system's C library here"
#endif
void return_from_signal(void);

static long checked(long result) {
    if (result > -4096 && result < 0) return errno_here = (int)-result, -1;
    return result;
}

long syscall(long n, ...) {
    va_list more;
    long v[6];
    va_start(more, n);
    for (int i = 0; i < 6; i++) v[i] = va_arg(more, long);
    va_end(more);
    return checked(raw(n, v[0], v[1], v[2], v[3], v[4], v[5]));
}

#define SYS(name, ...) checked(CALL_SYS(__NR_##name, __VA_ARGS__, 0, 0, 0, 0, 0, 0))
#define CALL_SYS(n, a, b, c, d, e, f, ...) \
    raw(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

void _exit(int status) {
    for (;;) SYS(exit_group, status);
}
void exit(int status) { _exit(status); }
void abort(void) { _exit(134); }

__attribute__((used)) static void begin(long *stack) {
    int argc = (int)*stack;
    char **argv = (char **)(stack + 1);
    environ = argv + argc + 1;
    _exit(main(argc, argv));
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}
int strncmp(const char *a, const char *b, size_t most) {
    for (; most; a++, b++, most--)
        if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
    return 0;
}
int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }
char *strchr(const char *text, int wanted) {
    for (;; text++) {
        if (*text == (char)wanted) return (char *)text;
        if (!*text) return NULL;
    }
}
char *strrchr(const char *text, int wanted) {
    char *found = NULL;
    for (; *text; text++)
        if (*text == (char)wanted) found = (char *)text;
    return found;
}
size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] && strchr(set, text[length])) length++;
    return length;
}
#ifdef __x86_64__
void *memcpy(void *to, const void *from, size_t length) {
    void *at = to;
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(length) : : "memory");
    return to;
}
void *memset(void *to, int byte, size_t length) {
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(length) : "a"(byte) : "memory");
    return to;
}
#else
void *memcpy(void *to, const void *from, size_t length) {
    for (size_t i = 0; i < length; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int byte, size_t length) {
    for (size_t i = 0; i < length; i++) ((volatile char *)to)[i] = (char)byte;
    return to;
}
#endif
void *memmove(void *to, const void *from, size_t length) {
    if (to <= from) return memcpy(to, from, length);
    while (length--) ((volatile char *)to)[length] = ((const char *)from)[length];
    return to;
}

/* Memory is only ever taken: the next exec gives it back. */
static char arena[1 << 16];
static size_t taken;
void *malloc(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size <= sizeof arena - taken) return taken += size, arena + taken - size;
    long more = SYS(mmap, 0, size, 3, 0x22, -1, 0);
    return more == -1 ? NULL : (void *)more;
}
void *calloc(size_t count, size_t size) {
    void *got = malloc(count * size);
    return got ? memset(got, 0, count * size) : NULL;
}
void free(void *ptr) { (void)ptr; }

char *getenv(const char *name) {
    size_t length = strlen(name);
    for (char **at = environ; *at; at++)
        if (!strncmp(*at, name, length) && (*at)[length] == '=') return *at + length + 1;
    return NULL;
}
int unsetenv(const char *name) {
    size_t length = strlen(name);
    char **kept = environ;
    for (char **at = environ; *at; at++)
        if (strncmp(*at, name, length) || (*at)[length] != '=') *kept++ = *at;
    return *kept = NULL, 0;
}

int putenv(char *setting) {
    size_t count = 0, length = (size_t)(strchr(setting, '=') - setting);
    for (; environ[count]; count++)
        if (!strncmp(environ[count], setting, length + 1)) return environ[count] = setting, 0;
    char **grown = malloc((count + 2) * sizeof *grown);
    if (!grown) return -1;
    memcpy(grown, environ, count * sizeof *grown);
    grown[count] = setting, grown[count + 1] = NULL;
    return environ = grown, 0;
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    return (int)SYS(openat, AT_FDCWD, path, flags, mode);
}
int close(int fd) { return (int)SYS(close, fd); }
ssize_t read(int fd, void *into, size_t length) { return SYS(read, fd, into, length); }
ssize_t write(int fd, const void *from, size_t length) { return SYS(write, fd, from, length); }
int fstat(int fd, struct stat *found) { return (int)SYS(newfstatat, fd, "", found, AT_EMPTY_PATH); }
int lstat(const char *path, struct stat *found) {
    return (int)SYS(newfstatat, AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}
int access(const char *path, int mode) { return (int)SYS(faccessat, AT_FDCWD, path, mode); }
int mkdir(const char *path, mode_t mode) { return (int)SYS(mkdirat, AT_FDCWD, path, mode); }
int chdir(const char *path) { return (int)SYS(chdir, path); }
char *getcwd(char *into, size_t room) {
    char *path = into ? into : malloc(room = 4096);
    return SYS(getcwd, path, room) < 0 ? NULL : path;
}
int unshare(int flags) { return (int)SYS(unshare, flags); }
int mount(const char *from, const char *to, const char *kind, unsigned long flags, const void *data) {
    return (int)SYS(mount, from, to, kind, flags, data);
}
int prctl(int option, ...) {
    va_list more;
    long v[4];
    va_start(more, option);
    for (int i = 0; i < 4; i++) v[i] = va_arg(more, long);
    va_end(more);
    return (int)SYS(prctl, option, v[0], v[1], v[2], v[3]);
}
int ioctl(int fd, unsigned long request, ...) {
    va_list more;
    va_start(more, request);
    void *data = va_arg(more, void *);
    va_end(more);
    return (int)SYS(ioctl, fd, request, data);
}
int socket(int family, int kind, int protocol) { return (int)SYS(socket, family, kind, protocol); }
pid_t getpid(void) { return (pid_t)SYS(getpid, 0); }
pid_t getppid(void) { return (pid_t)SYS(getppid, 0); }
uid_t geteuid(void) { return (uid_t)SYS(geteuid, 0); }
gid_t getegid(void) { return (gid_t)SYS(getegid, 0); }
pid_t fork(void) { return (pid_t)SYS(clone, SIGCHLD); }
pid_t waitpid(pid_t pid, int *status, int options) { return (pid_t)SYS(wait4, pid, status, options); }
pid_t wait(int *status) { return waitpid(-1, status, 0); }
int kill(pid_t pid, int number) { return (int)SYS(kill, pid, number); }
int raise(int number) { return kill((pid_t)SYS(getpid, 0), number); }
int pipe2(int fds[2], int flags) { return (int)SYS(pipe2, fds, flags); }
__sighandler_t signal(int number, __sighandler_t handler) {
    struct { void *handler; unsigned long flags; void *restorer; uint64_t mask; } act = {
        (void *)handler, 0x04000000, (void *)return_from_signal, 0};
    return SYS(rt_sigaction, number, &act, 0, 8) < 0 ? SIG_ERR : SIG_DFL;
}

int execve(const char *path, char *const argv[], char *const env[]) {
    return (int)SYS(execve, path, argv, env);
}
int execvp(const char *file, char *const argv[]) {
    char path[4096];
    int denied = 0;
    if (strchr(file, '/')) return execve(file, argv, environ);
    const char *at = getenv("PATH");
    if (!at) at = "/usr/local/bin:/usr/bin:/bin";
    for (;; at++) {
        const char *end = strchr(at, ':');
        int length = (int)(end ? (size_t)(end - at) : strlen(at));
        if (snprintf(path, sizeof path, "%.*s/%s", length ? length : 1, length ? at : ".", file) < 4096) {
            execve(path, argv, environ);
            if (errno == EACCES) denied = 1;
            else if (errno != ENOENT && errno != ENOTDIR) return -1;
        }
        if (!end) break;
        at = end;
    }
    return errno = denied ? EACCES : ENOENT, -1;
}

struct __dirstream { int fd; long at, end; char entries[2048] __attribute__((aligned(8))); };
DIR *opendir(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listed = fd < 0 ? NULL : malloc(sizeof *listed);
    if (listed) listed->fd = fd, listed->at = listed->end = 0;
    return listed;
}
struct dirent *readdir(DIR *listed) {
    if (listed->at >= listed->end) {
        listed->end = SYS(getdents64, listed->fd, listed->entries, sizeof listed->entries);
        listed->at = 0;
        if (listed->end <= 0) return NULL;
    }
    struct dirent *entry = (struct dirent *)(listed->entries + listed->at);
    listed->at += entry->d_reclen;
    return entry;
}
int dirfd(DIR *listed) { return listed->fd; }
int closedir(DIR *listed) { return close(listed->fd); }

/* Knows %s, %.*s, %d and %u. Returns the whole length, as the library does. */
int vsnprintf(char *into, size_t room, const char *format, va_list values) {
    size_t length = 0;
    for (; *format; format++) {
        char digits[12], *text = digits + 11;
        int most = -1;
        if (*format != '%') {
            if (length + 1 < room) into[length] = *format;
            length++;
            continue;
        }
        if (*++format == '.') format += 2, most = va_arg(values, int);
        *text = 0;
        if (*format == 's') {
            text = va_arg(values, char *);
        } else {
            unsigned number = va_arg(values, unsigned);
            int negative = *format == 'd' && (int)number < 0;
            if (negative) number = -number;
            do *--text = (char)('0' + number % 10);
            while (number /= 10);
            if (negative) *--text = '-';
        }
        for (; *text && most--; text++, length++)
            if (length + 1 < room) into[length] = *text;
    }
    if (room) into[length < room ? length : room - 1] = 0;
    return (int)length;
}
int snprintf(char *into, size_t room, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(into, room, format, values);
    va_end(values);
    return length;
}
FILE *stdout = (FILE *)1, *stderr = (FILE *)2;
int fputs(const char *text, FILE *to) { return (int)write((int)(intptr_t)to, text, strlen(text)); }
int puts(const char *text) { return fputs(text, stdout) + fputs("\n", stdout); }
static int print_to(FILE *to, const char *format, va_list values) {
    char line[8192];
    vsnprintf(line, sizeof line, format, values);
    return fputs(line, to);
}
int fprintf(FILE *to, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = print_to(to, format, values);
    va_end(values);
    return length;
}
int printf(const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = print_to(stdout, format, values);
    va_end(values);
    return length;
}
char *strerror(int number) {
    static const struct { int number; const char *text; } KNOWN[] = {
        {EPERM, "Operation not permitted"}, {ENOENT, "No such file or directory"},
        {EACCES, "Permission denied"}, {ENOEXEC, "Exec format error"}, {ENOTDIR, "Not a directory"},
        {E2BIG, "Argument list too long"}, {ENOMEM, "Cannot allocate memory"}, {EINVAL, "Invalid argument"},
        {EISDIR, "Is a directory"}, {ETXTBSY, "Text file busy"}, {ENOSPC, "No space left on device"},
        {EROFS, "Read-only file system"}, {ELOOP, "Too many levels of symbolic links"}};
    static char other[32];
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (KNOWN[i].number == number) return (char *)KNOWN[i].text;
    snprintf(other, sizeof other, "error %d", number);
    return other;
}
