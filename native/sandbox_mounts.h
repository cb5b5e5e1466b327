/* A view of the file system of our own: all read-only but what the policy lets be written.
 *
 * Landlock does not cover permissions, times and extended attributes, nor single files inside a
 * writable tree, nor sockets with a path; read-only and covered mounts do. A process under Landlock
 * cannot change mounts, so nothing here can be taken away again, not even by root of a nested
 * user namespace.
 */
#ifndef SANDBOX_MOUNTS_H
#define SANDBOX_MOUNTS_H
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include "sandbox_policy.h"

#ifndef __NR_open_tree
#define __NR_open_tree 428
#define __NR_move_mount 429
#endif
#ifndef __NR_mount_setattr
#define __NR_mount_setattr 442
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif
enum { TREE_CLONE = 1, MOVE_FROM_FD = 4, ATTR_RDONLY = 1, ATTR_NOSUID = 2, MOST_TREES = 512 };

struct attr { uint64_t set, clear, propagation, userns; };

static int clone_tree(const char *path) {
    return (int)syscall(__NR_open_tree, AT_FDCWD, path, TREE_CLONE | O_CLOEXEC | AT_RECURSIVE);
}

static int set_attr(int fd, const char *path, uint64_t set) {
    struct attr attr = {.set = set};
    unsigned flags = AT_RECURSIVE | (*path ? 0 : AT_EMPTY_PATH);
    return (int)syscall(__NR_mount_setattr, fd, path, flags, &attr, sizeof attr);
}

static int put_tree(int fd, const char *path) {
    /* Left open: becoming the command closes them all at once. */
    return fd < 0 || syscall(__NR_move_mount, fd, "", AT_FDCWD, path, MOVE_FROM_FD) ? -1 : 0;
}

static int write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    int failed = write(fd, text, strlen(text)) < 0;
    close(fd);
    return failed ? -1 : 0;
}

/* Enter namespaces of our own. Root has no need of a user namespace, and would lose the right to
 * give files to others in it, on which 'tar' and many installers count. */
static int enter_namespaces(int flags) {
    char map[64];
    uid_t uid = geteuid();
    gid_t gid = getegid();
    if (!uid && !unshare(flags)) return 0;
    if (unshare(flags | CLONE_NEWUSER)) return -1;
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    if (write_text("/proc/self/uid_map", map)) return -1;
    snprintf(map, sizeof map, "%u %u 1", gid, gid);
    return write_text("/proc/self/gid_map", map);
}

static int keep_read_only(const char *path) {
    int fd = clone_tree(path);
    if (fd < 0) return errno == ENOENT ? 0 : -1;
    if (set_attr(fd, "", ATTR_RDONLY)) return close(fd), -1;
    return put_tree(fd, path);
}

static int empty_file, empty_folder; /* opened first: the policy's own folder may be covered, too */

static int open_empty(const Policy *policy, const char *name) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", policy->folder, name);
    return open(path, O_PATH | O_CLOEXEC);
}

/* Cover *path* with something empty that nobody but root may open, and root finds nothing in. Read-only,
 * like all that was not taken out beforehand. Most secrets are files, so that is tried first: asking
 * what a path is costs as much as trying. */
static int cover(const char *path) {
    static int spare = -1;
    int fd = spare >= 0 ? spare : (int)syscall(__NR_open_tree, empty_file, "", TREE_CLONE | O_CLOEXEC | AT_EMPTY_PATH);
    spare = -1;
    if (!put_tree(fd, path) || errno == ENOENT || errno == ENOTDIR || errno == EACCES) return fd < 0 ? -1 : 0;
    spare = fd;
    return put_tree((int)syscall(__NR_open_tree, empty_folder, "", TREE_CLONE | O_CLOEXEC | AT_EMPTY_PATH), path);
}

/* The paths go in as descriptors, so that no character in them needs escaping. */
static int overlay(const Policy *policy, const char *path, int number) {
    char options[256], name[PATH_MAX + 32];
    int fds[3];
    static const char *PARTS[] = {"upper", "work"};
    if ((fds[0] = open(path, O_PATH | O_CLOEXEC)) < 0) return -1;
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s/%s-%d", policy->folder, PARTS[i], number);
        if ((fds[i + 1] = open(name, O_PATH | O_CLOEXEC)) < 0) return -1;
    }
    snprintf(options, sizeof options,
             "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,userxattr,volatile",
             fds[0], fds[1], fds[2]);
    /* volatile (Linux 5.10): a trial that a crash cuts short is thrown away, so its end need not wait for
     * the disk, which takes longer than all the rest. */
    int failed = mount("overlay", path, "overlay", 0, options);
    if (failed) {
        *strrchr(options, ',') = 0;
        failed = mount("overlay", path, "overlay", 0, options);
    }
    for (int i = 0; i < 3; i++) close(fds[i]);
    return failed;
}

static int pin(const char *path) { return access(path, F_OK) ? 0 : put_tree(clone_tree(path), path); }

/* Put our own file over the one that names the name servers. */
static int answer_names(const Policy *policy, const char *path) {
    char ours[PATH_MAX + 32];
    snprintf(ours, sizeof ours, "%s/resolv.conf", policy->folder);
    return put_tree((int)syscall(__NR_open_tree, AT_FDCWD, ours, TREE_CLONE | O_CLOEXEC), path);
}

static int lay(const Policy *policy, char kind, const char *path, int tree) {
    switch (kind) {
    case 'L': return answer_names(policy, path);
    case 'O':
    case 'W': return tree < 0 ? 0 : put_tree(tree, path); /* gone since the policy was made */
    case 'P': return pin(path);
    case 'K': return keep_read_only(path);
    case 'M':
    case 'S': return cover(path);
    default: return 0;
    }
}

/* What may be written, open; ends with 0. Landlock needs them once more. */
static int trees[MOST_TREES + 1];

static int take_trees(const Policy *policy) {
    int count = 0;
    for (size_t i = 0; i < policy->count; i++) {
        if (*policy->records[i] != 'W' && *policy->records[i] != 'O') continue;
        if (count == MOST_TREES) return errno = E2BIG, -1;
        trees[count++] = clone_tree(policy->records[i] + 1);
    }
    return 0;
}

/* Lay out the view. Trees are taken while they are still writable, and put back afterwards. */
static int mounts_apply(const Policy *policy) {
    int tree = 0, overlays = 0;
    size_t next = 0;
    const char *at;
    empty_file = open_empty(policy, "empty");
    empty_folder = open_empty(policy, "empty.d");
    while ((at = policy_next(policy, 'O', &next)))
        if (overlay(policy, at, overlays++)) return -1;
    int terminals = clone_tree("/dev/pts");
    int processes = geteuid() ? clone_tree("/proc") : -1; /* root's would let /proc/sys be written */
    if (take_trees(policy) || set_attr(AT_FDCWD, "/", ATTR_RDONLY | ATTR_NOSUID)) return -1;
    if (terminals >= 0 && put_tree(terminals, "/dev/pts")) return -1;
    if (processes >= 0 && put_tree(processes, "/proc")) return -1;
    for (size_t i = 0; i < policy->count; i++) {
        at = policy->records[i];
        if (lay(policy, *at, at + 1, *at == 'W' || *at == 'O' ? trees[tree++] : -1)) return -1;
    }
    return 0;
}
#endif
