/* snaphook-sandbox: apply a policy to this process, then become the command.
 *
 *   @POLICY + COMMAND  ->  mounts, Landlock, seccomp  ->  exec
 *
 * It is the short prefix that the guard puts in front of a command whose code it cannot read. There
 * is no process in between (see sandbox_init.h for the two exceptions), so that pipes, terminals,
 * signals, job control and exit codes are the command's own. Whatever part of the policy this
 * kernel cannot enforce is left out, as 'snaphook sandbox status' says; where nothing can be
 * enforced, nothing runs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sandbox_policy.h"

extern char **environ; /* macOS declares it nowhere */

#ifndef SNAPHOOK_VERSION
#define SNAPHOOK_VERSION "unknown"
#endif

typedef struct {
    const char *policy, *tag; /* @POLICY.TAG: what is refused is reported under this name */
    char **command;
    int trial, hooks, no_landlock, no_namespaces, no_watcher; /* the last three are for tests */
} Wanted;

static const char *USAGE = "Usage: snaphook-sandbox @POLICY COMMAND [ARGUMENT…]\n"
                           "       snaphook-sandbox --hooks @POLICY git [ARGUMENT…]\n"
                           "       snaphook-sandbox --status | --version\n";

static int is_dropped(const Policy *policy, const char *variable) {
    size_t next = 0;
    for (const char *name; (name = policy_next(policy, 'U', &next));) {
        size_t at = 0;
        while (name[at] && name[at] == variable[at]) at++;
        if (!name[at] && variable[at] == '=') return 1;
    }
    return 0;
}

static void drop_variables(const Policy *policy) {
    char **kept = environ;
    for (char **at = environ; *at; at++)
        if (!is_dropped(policy, *at)) *kept++ = *at;
    *kept = NULL;
}

/* git itself is understood, needs keys to sign and to push, and stays outside; the repository's hooks
 * are code like any other. Beside the policy lie scripts that run each of them confined. */
static void wrap_hooks(const Policy *policy, const Wanted *wanted) {
    static char count[64], key[64], value[PATH_MAX + 64];
    const char *before = getenv("GIT_CONFIG_COUNT"), *name = strrchr(wanted->policy, '/');
    if (strcmp(wanted->command[0], "git")) fail("--hooks is for git", wanted->command[0], "Leave it out.");
    unsigned number = 0;
    for (; before && *before >= '0' && *before <= '9'; before++) number = 10 * number + (unsigned)(*before - '0');
    snprintf(count, sizeof count, "GIT_CONFIG_COUNT=%u", number + 1);
    snprintf(key, sizeof key, "GIT_CONFIG_KEY_%u=core.hooksPath", number);
    snprintf(value, sizeof value, "GIT_CONFIG_VALUE_%u=%s/hooks-%s", number, policy->folder,
             name ? name + 1 : wanted->policy);
    if (putenv(count) || putenv(key) || putenv(value)) fail("cannot set variables", NULL, "Try again.");
}

static void become(char **command) {
    execvp(command[0], command);
    int status = errno == ENOENT ? NOT_FOUND : REFUSED;
    fprintf(stderr, "snaphook-sandbox: %s: %s\n", command[0], strerror(errno));
    exit(status);
}

#ifdef __linux__
#include "sandbox_landlock.h"
#include "sandbox_mounts.h"
#include "sandbox_network.h"
#include "sandbox_seccomp.h"
#include "sandbox_init.h"
#include "sandbox_watch.h"

static int number(const char *digits) {
    int value = 0;
    for (; *digits >= '0' && *digits <= '9'; digits++) value = 10 * value + *digits - '0';
    return value;
}

/* A descriptor opened before is not asked about again. Pipes stay: '<(…)' hands them over. */
static void close_inherited(void) {
    struct stat found;
    DIR *listed = opendir("/proc/self/fd");
    if (!listed) fail("cannot read /proc/self/fd", strerror(errno), "Mount /proc.");
    for (struct dirent *entry; (entry = readdir(listed));) {
        int fd = number(entry->d_name);
        if (fd > 2 && fd != dirfd(listed) && !fstat(fd, &found) && !S_ISFIFO(found.st_mode)) close(fd);
    }
    closedir(listed);
}

/* Return 1 if the view is laid out, 0 if this system does not let us have one (AppArmor lets an
 * unprivileged process make a user namespace, and then do nothing in it). */
static int isolate(const Policy *policy, const Wanted *wanted, int no_network) {
    int flags = CLONE_NEWNS | (no_network ? CLONE_NEWNET : 0);
    if (wanted->no_namespaces || enter_namespaces(flags)) return 0;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return 0;
    if (mounts_apply(policy)) /* half a view is worse than none */
        fail("cannot lay out the file system", strerror(errno), "Run 'snaphook sandbox status'.");
    if (no_network) loopback_up();
    return 1;
}

static const char *policy_name(const char *given) {
    const char *slash = strrchr(given, '/');
    return slash ? slash + 1 : given;
}

static int open_reports(const Policy *policy) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/refused", policy->folder);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void confine(const Policy *policy, const Wanted *wanted) {
    static Watch watch;
    static Door door;
    const char *network = policy_only(policy, 'N');
    int off = network && strcmp(network, "open"); /* with a list, all goes through the proxy */
    int abi = wanted->no_landlock ? 0 : landlock_abi();
    int pids = wanted->trial || abi < 6;
    char *here = getcwd(NULL, 0);
    close_inherited();
    int listed = !strcmp(network ? network : "", "list") && !wanted->no_namespaces && !wanted->no_watcher &&
                 !door_start(policy, &door, policy_name(wanted->policy), wanted->tag);
    watch = (Watch){.policy = policy, .tag = wanted->tag, .closed = off, .lifeline = listed ? door.lifeline[1] : -1,
                    .reports = wanted->tag ? open_reports(policy) : -1};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int isolated = isolate(policy, wanted, off);
    if (wanted->trial && !isolated)
        fail("a trial needs namespaces", NULL, "See 'snaphook sandbox status'.");
    if (listed && isolated) {
        door_open(policy, &door);
        door_variables();
    }
    if (isolated && pids) become_command(wanted->trial);
    if (here && isolated && chdir(here)) fail("cannot enter the folder", here, "Check that it exists.");
    int watched = !wanted->no_watcher && !watch_start(&watch); /* first, so that nobody confined can end it */
    if (abi) abi = landlock_apply(policy, isolated ? trees : NULL, off && !isolated);
    if (!abi && !isolated)
        fail("neither Landlock nor namespaces are available", NULL,
             "Run 'snaphook sandbox status'; set [sandbox] mode = \"off\" to run commands unconfined.");
    drop_capabilities();
    int listener = seccomp_apply(!off || isolated, watched);
    if (listener < 0 && !abi)
        fail("seccomp is not available", strerror(errno), "Run 'snaphook sandbox status'.");
    if (watched) watch_begin(&watch, listener); /* without it nobody keeps the proxy: the network is closed */
    free(here);
}

static int try_in_child(int (*attempt)(void)) {
    int status = 1;
    pid_t child = fork();
    if (!child) _exit(attempt() ? 1 : 0);
    return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static int try_mounts(void) {
    return enter_namespaces(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
           set_attr(AT_FDCWD, "/", ATTR_RDONLY) || put_tree(clone_tree("/proc"), "/proc");
}

static int try_network(void) { return enter_namespaces(CLONE_NEWNET); }

static int try_seccomp(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_load(1, 0) < 0; }

static int try_watcher(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || seccomp_load(1, 1) <= 0; }

static int try_overlay(void) {
    return enter_namespaces(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
           mount("tmpfs", "/tmp", "tmpfs", 0, NULL) || mkdir("/tmp/l", 0700) ||
           mkdir("/tmp/u", 0700) || mkdir("/tmp/w", 0700) ||
           mount("overlay", "/tmp/l", "overlay", 0, "lowerdir=/tmp/l,upperdir=/tmp/u,workdir=/tmp/w,userxattr");
}

static int print_status(void) {
    printf("{\"landlock\":%d,\"namespaces\":%s,\"network_namespace\":%s,\"overlay\":%s,\"seccomp\":%s,\"watcher\":%s}\n",
           landlock_abi(), try_in_child(try_mounts) ? "true" : "false",
           try_in_child(try_network) ? "true" : "false", try_in_child(try_overlay) ? "true" : "false",
           try_in_child(try_seccomp) ? "true" : "false", try_in_child(try_watcher) ? "true" : "false");
    return 0;
}
#else
/* On macOS the policy is a profile for sandbox-exec, in a record of its own. */
static void confine(const Policy *policy, Wanted *wanted) {
    size_t count = 0;
    const char *profile = policy_only(policy, 'B');
    if (!profile) fail("the policy holds no profile", NULL, "Run the command again.");
    while (wanted->command[count]) count++;
    char **words = calloc(count + 4, sizeof *words);
    if (!words) abort();
    words[0] = "/usr/bin/sandbox-exec", words[1] = "-p", words[2] = (char *)profile;
    memcpy(words + 3, wanted->command, count * sizeof *words);
    wanted->command = words;
}

static int print_status(void) {
    printf("{\"seatbelt\":%s}\n", access("/usr/bin/sandbox-exec", X_OK) ? "false" : "true");
    return 0;
}
#endif

/* POLICY.TAG: a tag is the name of a file, so of letters and digits alone. */
static void split_tag(Wanted *wanted, char *given) {
    char *slash = strrchr(given, '/'), *dot = strchr(slash ? slash : given, '.');
    if (!dot) return;
    *dot = 0;
    size_t length = strspn(dot + 1, "0123456789abcdefghijklmnopqrstuvwxyz-");
    if (length && !dot[1 + length] && length <= 64) wanted->tag = dot + 1;
}

static int read_arguments(Wanted *wanted, int argc, char **argv) {
    int at = 1;
    for (; at < argc && !strncmp(argv[at], "--", 2); at++) {
        if (!strcmp(argv[at], "--trial")) wanted->trial = 1;
        else if (!strcmp(argv[at], "--hooks")) wanted->hooks = 1;
        else if (!strcmp(argv[at], "--without=landlock")) wanted->no_landlock = 1;
        else if (!strcmp(argv[at], "--without=namespaces")) wanted->no_namespaces = 1;
        else if (!strcmp(argv[at], "--without=watcher")) wanted->no_watcher = 1;
        else return -1;
    }
    if (at + 1 >= argc || argv[at][0] != '@') return -1;
    wanted->policy = argv[at] + 1;
    split_tag(wanted, argv[at] + 1);
    wanted->command = argv + at + 1;
    if (!strcmp(wanted->command[0], "--")) wanted->command++;
    return wanted->command[0] ? 0 : -1;
}

int main(int argc, char **argv) {
    Wanted wanted = {0};
    static Policy policy;
    if (argc == 2 && !strcmp(argv[1], "--status")) return print_status();
    if (argc == 2 && !strcmp(argv[1], "--version")) return puts(SNAPHOOK_VERSION), 0;
    if (read_arguments(&wanted, argc, argv)) return fputs(USAGE, stderr), REFUSED;
    policy_load(&policy, wanted.policy);
    if (wanted.hooks) {
        wrap_hooks(&policy, &wanted);
        become(wanted.command);
    }
    drop_variables(&policy);
    confine(&policy, &wanted);
    become(wanted.command);
}
