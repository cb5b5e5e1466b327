/* The watcher: a second process beside the command that learns what was refused, and keeps names free.
 *
 *   system calls that change files or connect  ->  a report of what the policy refuses
 *
 * The kernel tells a refused command and nobody else, and many programs keep it to themselves. So the
 * seccomp filter stops calls that change something for a moment and asks us; we note what the policy
 * refuses and let the call go on to its fate. Of these answers nothing is decided by us, except for
 * protected names that do not exist yet: no mount can hold them, so their creation is refused here.
 * (A program could change the name in its memory after we have read it; the check after the call
 * tells of that.) Calls that only read are not stopped: there are a hundred times as many.
 *
 * It shares our memory until we become the command, never waits for anything but the command, and ends
 * when the last confined process has ended. The namespaces end with it, not with the command: taking
 * forty mounts down would make the command's parent wait.
 */
#ifndef SANDBOX_WATCH_H
#define SANDBOX_WATCH_H
#include <linux/seccomp.h>
#include <linux/types.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include "sandbox_policy.h"

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif
#ifndef __NR_close_range
#define __NR_close_range 436
#endif
#define NOTIFY_SYNC_WAKE _IOW('!', 4, uint64_t) /* Linux 6.6: hand over on the same processor */

enum { MOST_REPORTS = 200, LONGEST_TAG = 40, FOLLOW = 1, CREATES = 2 };

typedef struct {
    const Policy *policy;
    const char *tag;  /* the name of the report; none is written without one */
    int reports;      /* the folder of reports, opened before it was covered */
    int lifeline;     /* held for as long as anybody is confined; -1 for none */
    int closed;       /* whether the network is closed */
    int listener;     /* 0 until there is one, -1 where there will be none */
    pid_t parent;
    int count;
    uint32_t seen[MOST_REPORTS]; /* a command that tries again is reported once */
} Watch;

static int watch_within(const char *path, const char *root) {
    size_t length = strlen(root);
    if (!strcmp(root, "/")) return 1;
    return !strncmp(path, root, length) && (!path[length] || path[length] == '/');
}

/* Return *path* as names that are still free are written: from the project on. */
static const char *watch_from_project(const Policy *policy, const char *path) {
    if (!policy->project || !watch_within(path, policy->project)) return "";
    size_t length = strlen(policy->project);
    return path + length + (path[length] == '/');
}

/* Return the letter of the innermost record that *path* lies in; '-' where it lies in none. */
static char watch_record(const Policy *policy, const char *path) {
    size_t best = 0;
    char letter = '-';
    const char *inner = watch_from_project(policy, path);
    for (size_t i = 0; i < policy->count; i++) {
        const char *at = policy->records[i], *text = at + 1;
        if (*at == 'A' && watch_within(*text == '/' ? path : inner, text)) return 'A';
        if (!strchr("WOPKMSD", *at) || !watch_within(path, text)) continue;
        size_t length = strlen(text);
        if (length < best) continue;
        best = length;
        letter = *at;
    }
    return letter;
}

static void watch_report(Watch *watch, char act, char letter, const char *what) {
    char line[PATH_MAX + 8];
    uint32_t hash = (uint32_t)act;
    if (!watch->tag || watch->reports < 0 || watch->count == MOST_REPORTS) return;
    for (const char *at = what; *at; at++) hash = hash * 31 + (unsigned char)*at;
    for (int i = 0; i < watch->count; i++)
        if (watch->seen[i] == hash) return;
    watch->seen[watch->count++] = hash;
    int length = snprintf(line, sizeof line, "%.*s%.*s %s\n", 1, &act, 1, &letter, what);
    if (length >= (int)sizeof line) return;
    for (int i = 3; i < length - 1; i++)
        if (line[i] == '\n') line[i] = '?';
    /* Opened for each line: whoever has read the report takes the file away. */
    long fd = syscall(__NR_openat, watch->reports, watch->tag, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return;
    if (write((int)fd, line, (size_t)length) < 0) watch->count = MOST_REPORTS; /* no room: stop trying */
    close((int)fd);
}

/* Read a text of another process; no further than its page, for the next may not be there. */
static int watch_text(pid_t pid, uint64_t from, char into[PATH_MAX]) {
    size_t first = 4096 - (from & 4095);
    struct iovec here = {into, PATH_MAX - 1};
    struct iovec there[2] = {{(void *)(uintptr_t)from, first},
                             {(void *)(uintptr_t)(from + first), PATH_MAX - 1 - first}};
    if (first >= PATH_MAX - 1) there[0].iov_len = PATH_MAX - 1;
    long got = syscall(__NR_process_vm_readv, pid, &here, 1, there, first >= PATH_MAX - 1 ? 1 : 2, 0);
    if (got <= 0) return -1;
    into[got] = 0;
    return *into && strlen(into) < (size_t)got ? 0 : -1;
}

static int watch_name_of(int fd, char into[PATH_MAX]) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = syscall(__NR_readlinkat, AT_FDCWD, link, into, PATH_MAX - 1);
    close(fd);
    if (length <= 0 || *into != '/') return -1; /* a pipe, a socket, memory */
    into[length] = 0;
    return 0;
}

/* Make of *path*, as process *pid* means it, the real path that it leads to. The kernel walks: through
 * the process's own folder, so that links and mounts are what they are to the process. */
static int watch_resolve(pid_t pid, int folder, const char *path, int how, char into[PATH_MAX]) {
    char full[2 * PATH_MAX], last[NAME_MAX + 1];
    if (*path == '/') snprintf(full, sizeof full, "%s", path);
    else if (folder == AT_FDCWD) snprintf(full, sizeof full, "/proc/%d/cwd/%s", pid, path);
    else snprintf(full, sizeof full, "/proc/%d/fd/%d/%s", pid, folder, path);
    size_t length = strlen(full);
    while (length > 1 && full[length - 1] == '/') full[--length] = 0;
    if (how & FOLLOW) {
        int fd = open(full, O_PATH | O_CLOEXEC);
        if (fd >= 0) return watch_name_of(fd, into);
        for (int links = 0; how & CREATES && links < 8; links++) { /* made through a link to nowhere */
            char target[PATH_MAX];
            long size = syscall(__NR_readlinkat, AT_FDCWD, full, target, sizeof target - 1);
            if (size <= 0) break;
            target[size] = 0;
            char *cut = strrchr(full, '/');
            if (*target == '/') snprintf(full, sizeof full, "%s", target);
            else snprintf(cut + 1, sizeof full - (size_t)(cut + 1 - full), "%s", target);
        }
    }
    char *slash = strrchr(full, '/');
    if (!slash || snprintf(last, sizeof last, "%s", slash + 1) > NAME_MAX || !*last) return -1;
    if (!strcmp(last, ".") || !strcmp(last, "..")) return -1;
    slash[slash == full] = 0;
    int fd = open(full, O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (fd < 0 || watch_name_of(fd, into)) return -1;
    size_t parent = strlen(into);
    if (parent == 1) parent = 0;
    return snprintf(into + parent, PATH_MAX - parent, "/%s", last) < (int)(PATH_MAX - parent) ? 0 : -1;
}

/* Whether putting *from* (a link, where there is none) at *path* would make a protected name appear. */
static int watch_brings(Watch *watch, const char *path, const char *from) {
    char made[PATH_MAX];
    const Policy *policy = watch->policy;
    const char *inner = watch_from_project(policy, path);
    size_t next = 0;
    for (const char *at; (at = policy_next(policy, 'A', &next));) {
        const char *named = *at == '/' ? path : inner;
        if (!*named || !watch_within(at, named)) continue;
        if (from) snprintf(made, sizeof made, "%s%s", from, at + strlen(named));
        if (from && access(made, F_OK)) continue;
        watch_report(watch, 'w', 'A', path);
        return 1;
    }
    return 0;
}

/* Note whether *path* may be changed; return whether the call is to be refused by us. */
static int watch_path(Watch *watch, pid_t pid, int folder, uint64_t text, char act, int how, char real[PATH_MAX]) {
    char path[PATH_MAX];
    if (watch_text(pid, text, path) || watch_resolve(pid, folder, path, how, real)) return *real = 0;
    if (!strncmp(real, "/proc/", 6)) return 0; /* Landlock and the kernel's own rules decide there */
    char letter = watch_record(watch->policy, real);
    if (strchr("WOPD", letter)) return 0;
    if (letter == 'A' && !(how & CREATES) && access(real, F_OK)) return 0; /* removing what is not there */
    watch_report(watch, act, letter, real);
    return letter == 'A';
}

static void watch_address(Watch *watch, pid_t pid, uint64_t from, uint64_t length) {
    unsigned char raw[128] = {0};
    char text[160];
    struct iovec here = {raw, length < sizeof raw ? length : sizeof raw};
    struct iovec there = {(void *)(uintptr_t)from, here.iov_len};
    if (syscall(__NR_process_vm_readv, pid, &here, 1, &there, 1, 0) < 4) return;
    int family = raw[0] | raw[1] << 8, port = raw[2] << 8 | raw[3]; /* both our processors: little end first */
    if (family == 1 && raw[2] == '/') {
        raw[sizeof raw - 1] = 0;
        if (strchr("MS", watch_record(watch->policy, (char *)raw + 2)))
            watch_report(watch, 's', 'S', (char *)raw + 2);
    } else if (family == 2 && watch->closed && raw[4] != 127) {
        snprintf(text, sizeof text, "%d.%d.%d.%d:%d", raw[4], raw[5], raw[6], raw[7], port);
        watch_report(watch, 'n', 'N', text);
    } else if (family == 10 && watch->closed && (raw[8] || raw[9])) { /* not ::1, nor IPv4 inside */
        snprintf(text, sizeof text, "an IPv6 address, port %d", port);
        watch_report(watch, 'n', 'N', text);
    }
}

/* Return whether the call is to be refused. */
static int watch_call(Watch *watch, pid_t pid, const struct seccomp_data *call) {
    char one[PATH_MAX], two[PATH_MAX];
    const __u64 *a = call->args;
    uint64_t how[3] = {0};
    int here = AT_FDCWD, refused;
    switch (call->nr) {
#ifdef __NR_open
    case __NR_open:
        return watch_path(watch, pid, here, a[0], 'w', FOLLOW | (a[1] & O_CREAT ? CREATES : 0), one);
    case __NR_creat: return watch_path(watch, pid, here, a[0], 'w', FOLLOW | CREATES, one);
    case __NR_mkdir:
    case __NR_mknod: return watch_path(watch, pid, here, a[0], 'w', CREATES, one);
    case __NR_unlink:
    case __NR_rmdir: return watch_path(watch, pid, here, a[0], 'd', 0, one);
    case __NR_chmod:
    case __NR_chown: return watch_path(watch, pid, here, a[0], 'p', FOLLOW, one);
    case __NR_lchown: return watch_path(watch, pid, here, a[0], 'p', 0, one);
    case __NR_symlink:
        refused = watch_path(watch, pid, here, a[1], 'w', CREATES, one);
        return refused || (*one && watch_brings(watch, one, NULL));
    case __NR_link:
        refused = watch_path(watch, pid, here, a[0], 'm', 0, two);
        return watch_path(watch, pid, here, a[1], 'w', CREATES, one) || refused;
    case __NR_rename:
        refused = watch_path(watch, pid, here, a[0], 'm', 0, two);
        refused |= watch_path(watch, pid, here, a[1], 'w', CREATES, one);
        return refused || (*one && *two && watch_brings(watch, one, two));
#endif
    case __NR_openat:
        return watch_path(watch, pid, (int)a[0], a[1], 'w', FOLLOW | (a[2] & O_CREAT ? CREATES : 0), one);
    case __NR_openat2: {
        struct iovec to = {how, 8}, from = {(void *)(uintptr_t)a[2], 8};
        if (syscall(__NR_process_vm_readv, pid, &to, 1, &from, 1, 0) != 8) return 0;
        if (!(how[0] & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))) return 0;
        return watch_path(watch, pid, (int)a[0], a[1], 'w', FOLLOW | (how[0] & O_CREAT ? CREATES : 0), one);
    }
    case __NR_mkdirat:
    case __NR_mknodat: return watch_path(watch, pid, (int)a[0], a[1], 'w', CREATES, one);
    case __NR_unlinkat: return watch_path(watch, pid, (int)a[0], a[1], 'd', 0, one);
    case __NR_truncate: return watch_path(watch, pid, here, a[0], 'w', FOLLOW, one);
    case __NR_fchmodat:
    case __NR_fchownat: return watch_path(watch, pid, (int)a[0], a[1], 'p', FOLLOW, one);
    case __NR_symlinkat:
        refused = watch_path(watch, pid, (int)a[1], a[2], 'w', CREATES, one);
        return refused || (*one && watch_brings(watch, one, NULL));
    case __NR_linkat:
        refused = watch_path(watch, pid, (int)a[0], a[1], 'm', 0, two);
        return watch_path(watch, pid, (int)a[2], a[3], 'w', CREATES, one) || refused;
#ifdef __NR_renameat
    case __NR_renameat:
#endif
    case __NR_renameat2:
        refused = watch_path(watch, pid, (int)a[0], a[1], 'm', 0, two);
        refused |= watch_path(watch, pid, (int)a[2], a[3], 'w', CREATES, one);
        return refused || (*one && *two && watch_brings(watch, one, two));
    case __NR_connect: return watch_address(watch, pid, a[1], a[2]), 0;
    default: return 0;
    }
}

static void watch_serve(Watch *watch) {
    struct pollfd waiting = {.fd = watch->listener, .events = POLLIN};
    struct seccomp_notif asked;
    for (int first = 1;; first = 0) {
        if (syscall(__NR_ppoll, &waiting, 1, NULL, NULL, 0) < 0) continue;
        if (!(waiting.revents & POLLIN)) return; /* the last confined process has ended */
        /* Not before the first call: until we have become the command, an error of ours is its errno. */
        if (first) ioctl(watch->listener, NOTIFY_SYNC_WAKE, 1ul);
        memset(&asked, 0, sizeof asked);
        if (ioctl(watch->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked)) continue; /* it was killed meanwhile */
        struct seccomp_notif_resp answer = {.id = asked.id};
        if (watch_call(watch, (pid_t)asked.pid, &asked.data)) answer.error = -EACCES;
        else answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(watch->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
}

/* Keep nothing open but what we need: whoever reads the command's output waits for its end. */
static void watch_close_others(Watch *watch) {
    int kept[] = {watch->listener, watch->reports, watch->lifeline};
    int last = -1;
    for (int from = 0;; from = last + 1) {
        last = INT_MAX;
        for (int i = 0; i < 3; i++)
            if (kept[i] >= from && kept[i] < last) last = kept[i];
        if (last > from) syscall(__NR_close_range, from, last == INT_MAX ? ~0u : (unsigned)last - 1, 0);
        if (last == INT_MAX) return;
    }
}

static int watch_main(void *given) {
    Watch *watch = given;
    uint64_t all = ~0ull;
    syscall(__NR_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8); /* a terminal's are for the command */
    /* Until there is something to watch, we end with our parent. Asked now and then, because the signal for
     * that (PR_SET_PDEATHSIG) comes from the parent, and Landlock lets it send none to us. */
    struct timespec pause = {.tv_nsec = 200000000};
    while (!__atomic_load_n(&watch->listener, __ATOMIC_ACQUIRE)) {
        if (getppid() != watch->parent) _exit(0);
        syscall(__NR_futex, &watch->listener, 0, 0, &pause, NULL, 0);
    }
    if (watch->listener < 0) _exit(0);
    syscall(__NR_setsid); /* out of reach of who ends the command's group */
    unshare(CLONE_FILES);
    watch_close_others(watch);
    prctl(PR_SET_NAME, "snaphook-watch", 0, 0, 0);
    if (chdir("/")) _exit(0);
    watch_serve(watch);
    _exit(0);
}

/* Start the watcher; it waits until watch_begin() gives it a listener. Not our child in the sense of
 * wait(): it sends no signal when it ends, so the command never meets a child it did not start. */
static int watch_start(Watch *watch) {
    static char stack[131072] __attribute__((aligned(16)));
    watch->parent = getpid();
    return clone(watch_main, stack + sizeof stack, CLONE_VM | CLONE_FILES, watch) < 0 ? -1 : 0;
}

static void watch_begin(Watch *watch, int listener) {
    __atomic_store_n(&watch->listener, listener ? listener : -1, __ATOMIC_RELEASE);
    syscall(__NR_futex, &watch->listener, 1, 1, NULL, NULL, 0);
}
#endif
