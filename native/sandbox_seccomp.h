/* A short list of system calls that lead past the rest, and what the root of a namespace may do.
 *
 * io_uring runs operations that no filter sees; TIOCSTI types into the terminal of whoever started
 * us; keyrings hold keys of the session; some sockets reach past every namespace. Short because the
 * kernel tries a filter on every system call number when it is loaded.
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
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define DENY(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define CALL(name, error) SKIP_UNLESS(__NR_##name, 1), DENY(error)

/* *inet*: whether sockets of the internet may be made at all. */
static int seccomp_apply(int inet) {
    uint32_t tiocsti = 0x5412, tioclinux = 0x541c;
    struct sock_filter filter[] = {
        LOAD(arch),
        SKIP_UNLESS(THIS_ARCH, 1),
        BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
        DENY(ENOSYS), /* a second set of system call numbers would need a second list */
        LOAD(nr),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* x32 */
        DENY(ENOSYS),
#endif
        CALL(io_uring_setup, ENOSYS),
        CALL(keyctl, ENOSYS),
        CALL(add_key, ENOSYS),
        CALL(request_key, ENOSYS),
        SKIP_UNLESS(__NR_ioctl, 4),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, tiocsti, 1, 0),
        SKIP_UNLESS(tioclinux, 1),
        DENY(EPERM),
        LOAD(nr),
        SKIP_UNLESS(__NR_socket, 7),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, inet ? AF_INET : AF_UNIX, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, inet ? AF_INET6 : AF_UNIX, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_ALG, 1, 0),
        DENY(EACCES), /* raw packets, virtual machine sockets, Bluetooth … */
        ALLOW,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    /* SPEC_ALLOW: older kernels slow every filtered process down against Spectre otherwise. */
    return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}
#else
static int seccomp_apply(int inet) { return (void)inet, -1; }
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
