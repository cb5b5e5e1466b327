/* A short list of system calls that lead past the rest, and what the root of a namespace may do.
 *
 * io_uring runs operations that no filter sees; TIOCSTI types into the terminal of whoever started
 * us; keyrings hold keys of the session; some sockets reach past every namespace. Calls that change
 * files stop for the watcher (sandbox_watch.h).
 */
#ifndef SANDBOX_SECCOMP_H
#define SANDBOX_SECCOMP_H
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "sandbox_policy.h"

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define THIS_ARCH AUDIT_ARCH_RISCV64
#elif defined(__i386__)
#define THIS_ARCH AUDIT_ARCH_I386
#endif

#ifdef THIS_ARCH
#ifndef SECCOMP_RET_USER_NOTIF
#define SECCOMP_RET_USER_NOTIF 0x7fc00000u
#endif
#ifndef __NR_openat2
#define __NR_openat2 437
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#define LISTENER 0x8u      /* SECCOMP_FILTER_FLAG_NEW_LISTENER */
#define WAIT_KILLABLE 0x20u /* Linux 5.19: a signal does not interrupt a call that we look at */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define DENY(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define IS(value, then, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (then), (other))

/* What becomes of a call; the numbers are places in the block of answers below. */
enum { ALLOWED = 0, ABSENT = 1, WATCHED = 2, IOCTL = 3, SOCKET = 8, OPEN = 16, OPENAT = 20, ANSWERS = 24 };

typedef struct { unsigned nr; int answer; } Watched;

static const Watched CALLS[] = {
    {__NR_io_uring_setup, ABSENT}, {__NR_keyctl, ABSENT}, {__NR_add_key, ABSENT}, {__NR_request_key, ABSENT},
    {__NR_ioctl, IOCTL}, {__NR_socket, SOCKET}, {__NR_openat, OPENAT},
#ifdef __NR_open
    {__NR_open, OPEN}, {__NR_creat, WATCHED}, {__NR_mkdir, WATCHED}, {__NR_mknod, WATCHED},
    {__NR_unlink, WATCHED}, {__NR_rmdir, WATCHED}, {__NR_chmod, WATCHED}, {__NR_chown, WATCHED},
    {__NR_lchown, WATCHED}, {__NR_symlink, WATCHED}, {__NR_link, WATCHED}, {__NR_rename, WATCHED},
#endif
#ifdef __NR_renameat
    {__NR_renameat, WATCHED},
#endif
    {__NR_openat2, WATCHED}, {__NR_mkdirat, WATCHED}, {__NR_mknodat, WATCHED}, {__NR_unlinkat, WATCHED},
    {__NR_truncate, WATCHED}, {__NR_fchmodat, WATCHED}, {__NR_fchmodat2, WATCHED}, {__NR_fchownat, WATCHED},
    {__NR_symlinkat, WATCHED}, {__NR_linkat, WATCHED}, {__NR_renameat2, WATCHED}, {__NR_connect, WATCHED}};

enum { MOST_CALLS = sizeof CALLS / sizeof *CALLS };

/* Write a search for the *count* calls at *sorted*, 2 * count - 1 instructions, the answers after it. A
 * search and no list, because the kernel tries every number there is when the filter is loaded. */
static struct sock_filter *search(struct sock_filter *at, const Watched *sorted, int count, struct sock_filter *answers) {
    if (count == 1) {
        *at = (struct sock_filter)IS(sorted->nr, (unsigned char)(answers + sorted->answer - at - 1),
                                     (unsigned char)(answers + ALLOWED - at - 1));
        return at + 1;
    }
    int left = count / 2;
    *at = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, sorted[left].nr, (unsigned char)(2 * left - 1), 0);
    at = search(at + 1, sorted, left, answers);
    return search(at, sorted + left, count - left, answers);
}

static int calls_sorted(Watched sorted[MOST_CALLS], int watched) {
    int count = 0;
    for (int i = 0; i < MOST_CALLS; i++) {
        int at = count;
        if (!watched && (CALLS[i].answer == WATCHED || CALLS[i].answer >= OPEN)) continue;
        for (; at && sorted[at - 1].nr > CALLS[i].nr; at--) sorted[at] = sorted[at - 1];
        sorted[at] = CALLS[i];
        count++;
    }
    return count;
}

/* Load the filter. *inet*: whether sockets of the internet may be made at all; *watched*: whether
 * somebody looks at calls that change files. Return the listener then, 0 without, -1 on failure. */
static int seccomp_load(int inet, int watched) {
    Watched sorted[MOST_CALLS];
    struct sock_filter filter[8 + 2 * MOST_CALLS + ANSWERS] = {
        LOAD(arch),
        IS(THIS_ARCH, 1, 0),
        DENY(ENOSYS), /* a second set of system call numbers would need a second list */
        LOAD(nr),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* x32 */
        DENY(ENOSYS),
#endif
    };
    const uint32_t tiocsti = 0x5412, tioclinux = 0x541c, writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    const struct sock_filter answers[ANSWERS] = {
        [ALLOWED] = RETURN(SECCOMP_RET_ALLOW),
        [ABSENT] = DENY(ENOSYS),
        [WATCHED] = RETURN(SECCOMP_RET_USER_NOTIF),
        [IOCTL] = LOAD(args[1]),
        IS(tiocsti, 1, 0),
        IS(tioclinux, 0, 1),
        DENY(EPERM),
        RETURN(SECCOMP_RET_ALLOW),
        [SOCKET] = LOAD(args[0]),
        IS(AF_UNIX, 5, 0),
        IS(AF_NETLINK, 4, 0),
        IS(inet ? AF_INET : AF_UNIX, 3, 0),
        IS(inet ? AF_INET6 : AF_UNIX, 2, 0),
        IS(AF_ALG, 1, 0),
        DENY(EACCES), /* raw packets, virtual machine sockets, Bluetooth … */
        RETURN(SECCOMP_RET_ALLOW),
        [OPEN] = LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writes, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_USER_NOTIF),
        [OPENAT] = LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writes, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_USER_NOTIF),
    };
    int start = THIS_ARCH == AUDIT_ARCH_X86_64 ? 6 : 4, count = calls_sorted(sorted, watched);
    struct sock_filter *after = filter + start + 2 * count - 1;
    search(filter + start, sorted, count, after);
    memcpy(after, answers, sizeof answers);
    struct sock_fprog program = {.len = (unsigned short)(after + ANSWERS - filter), .filter = filter};
    /* SPEC_ALLOW: older kernels slow every filtered process down against Spectre otherwise. */
    unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW | (watched ? LISTENER | WAIT_KILLABLE : 0);
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* A process has one listener at most, and older kernels let signals interrupt the calls it looks at:
 * there the calls are not looked at. */
static int seccomp_apply(int inet, int watched) {
    int listener = watched ? seccomp_load(inet, 1) : -1;
    return listener >= 0 ? listener : seccomp_load(inet, 0);
}
#else
static int seccomp_apply(int inet, int watched) { return (void)inet, (void)watched, -1; }
#endif

/* Root keeps what it needs to handle files and users (less than a container's root has). */
static void drop_capabilities(void) {
    static const int KEPT[] = {CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FOWNER,  CAP_FSETID,
                               CAP_SETGID, CAP_SETUID,       CAP_SETPCAP, CAP_NET_BIND_SERVICE,
                               CAP_KILL,   CAP_SYS_CHROOT,   CAP_SETFCAP, CAP_AUDIT_WRITE};
    uint64_t kept = 0;
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++) kept |= 1ull << KEPT[i];
    for (int i = 0; i < 64; i++)
        if (!(kept >> i & 1) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) && errno == EINVAL) break;
    if (syscall(__NR_capget, &head, data)) return;
    for (int i = 0; i < 2; i++) {
        data[i].effective &= (uint32_t)(kept >> 32 * i);
        data[i].permitted &= (uint32_t)(kept >> 32 * i);
        data[i].inheritable = 0;
    }
    syscall(__NR_capset, &head, data);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}
#endif
