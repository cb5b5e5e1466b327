/* Landlock: what the kernel lets this process and all its children do, whoever they become.
 *
 * Constants are our own: the headers of the machine that builds us may be older than the kernel
 * that runs us. https://docs.kernel.org/userspace-api/landlock.html
 */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H
#include <dirent.h>
#include <stdint.h>
#include <sys/syscall.h>
#include "sandbox_policy.h"

#define LL_EXECUTE 0x1ull
#define LL_WRITE_FILE 0x2ull
#define LL_READ_FILE 0x4ull
#define LL_READ_DIR 0x8ull
#define LL_TREE_WRITES 0x17b0ull /* remove and make all but char and block devices (0x40, 0x800) */
#define LL_DEVICES 0x840ull
#define LL_REFER 0x2000ull    /* ABI 2: link and rename from one folder to another */
#define LL_TRUNCATE 0x4000ull /* ABI 3 */
#define LL_TCP 0x3ull         /* ABI 4: bind and connect */
#define LL_SCOPES 0x3ull      /* ABI 6: abstract sockets and signals stay inside */

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

struct ll_ruleset { uint64_t fs, net, scoped; };
struct ll_beneath { uint64_t allowed; int32_t parent; } __attribute__((packed));

static int landlock_abi(void) {
    long abi = syscall(__NR_landlock_create_ruleset, NULL, 0, 1);
    return abi < 0 ? 0 : (int)abi;
}

static uint64_t ll_handled; /* a rule may name no right that its ruleset does not handle */

/* Allow *rights* beneath an open folder; of those, a file takes what a file can. */
static void ll_allow_fd(int ruleset, int fd, uint64_t rights) {
    struct ll_beneath rule = {.allowed = rights & ll_handled, .parent = fd};
    if (fd < 0 || !syscall(__NR_landlock_add_rule, ruleset, 1, &rule, 0)) return;
    rule.allowed &= LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE;
    syscall(__NR_landlock_add_rule, ruleset, 1, &rule, 0);
}

static void ll_allow(int ruleset, const char *path, uint64_t rights) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    ll_allow_fd(ruleset, fd, rights); /* gone since the policy was made: nothing to allow */
    if (fd >= 0) close(fd);
}

static int ll_holds_hidden(const Policy *policy, const char *folder) {
    size_t length = strlen(folder);
    size_t next = 0;
    for (const char *at; (at = policy_next(policy, 'M', &next));)
        if (!strncmp(at, folder, length) && (length == 1 || at[length] == '/' || !at[length])) return 1;
    return 0;
}

static int ll_is_hidden(const Policy *policy, const char *path) {
    size_t next = 0;
    for (const char *at; (at = policy_next(policy, 'M', &next));)
        if (!strcmp(at, path)) return 1;
    return 0;
}

/* Landlock can allow, never forbid. So where nothing can be mounted over a secret, reading is
 * allowed beside it: every folder on the way down to one is spelled out, all others go whole. */
static void ll_read_around(int ruleset, const Policy *policy, const char *folder) {
    char path[PATH_MAX];
    if (ll_is_hidden(policy, folder)) return;
    DIR *listed = ll_holds_hidden(policy, folder) ? opendir(folder) : NULL;
    if (!listed) return ll_allow(ruleset, folder, LL_READ_FILE);
    for (struct dirent *entry; (entry = readdir(listed));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        const char *slash = folder[1] ? "/" : "";
        if (snprintf(path, sizeof path, "%s%s%s", folder, slash, entry->d_name) >= PATH_MAX) continue;
        if (entry->d_type != DT_LNK) ll_read_around(ruleset, policy, path);
    }
    closedir(listed);
}

static void ll_allow_each(int ruleset, const Policy *policy, char kind, uint64_t rights) {
    size_t next = 0;
    for (const char *at; (at = policy_next(policy, kind, &next));) ll_allow(ruleset, at, rights);
}

/* Apply the policy. *trees*: what may be written, opened where mounts are laid out already, which hide
 * secrets as well; NULL where they are not. Return the ABI, 0 if absent. */
static int landlock_apply(const Policy *policy, const int *trees, int no_tcp) {
    int abi = landlock_abi();
    if (!abi) return 0;
    uint64_t writes = LL_WRITE_FILE | LL_TREE_WRITES;
    if (abi >= 2) writes |= LL_REFER;
    if (abi >= 3) writes |= LL_TRUNCATE;
    struct ll_ruleset handled = {.fs = LL_EXECUTE | LL_READ_FILE | LL_READ_DIR | LL_DEVICES | writes,
                                 .net = abi >= 4 && no_tcp ? LL_TCP : 0,
                                 .scoped = abi >= 6 ? LL_SCOPES : 0};
    ll_handled = handled.fs;
    size_t size = abi >= 6 ? sizeof handled : abi >= 4 ? 16 : 8;
    int ruleset = (int)syscall(__NR_landlock_create_ruleset, &handled, size, 0);
    if (ruleset < 0) return 0;
    ll_allow(ruleset, "/", LL_EXECUTE | LL_READ_DIR | (trees ? LL_READ_FILE : 0));
    if (trees) {
        for (; *trees; trees++) ll_allow_fd(ruleset, *trees, writes | LL_READ_FILE);
    } else {
        ll_read_around(ruleset, policy, "/");
        ll_allow_each(ruleset, policy, 'W', writes);
    }
    ll_allow_each(ruleset, policy, 'D', LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE);
    ll_allow(ruleset, "/proc", LL_WRITE_FILE | LL_READ_FILE); /* of others, ptrace rules decide */
    int failed = (int)syscall(__NR_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return failed ? 0 : abi;
}
#endif
