/* The first process of a process namespace of our own.
 *
 * Used where Landlock cannot keep signals inside (before ABI 6), and for trials, of which nothing
 * may be left running. Three processes: the caller's child (us, waiting), the namespace's first
 * process (it takes in orphans), and the command.
 */
#ifndef SANDBOX_INIT_H
#define SANDBOX_INIT_H
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "sandbox_policy.h"

static pid_t passed_on_to;

static void pass_on(int number) { kill(passed_on_to, number); }

static const int PASSED_ON[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH};

/* Be *pid* to whoever started us: pass signals on, and end as it ends. */
static void end_as(pid_t pid, int report) {
    int status = 0;
    passed_on_to = pid;
    for (size_t i = 0; i < sizeof PASSED_ON / sizeof *PASSED_ON; i++) signal(PASSED_ON[i], pass_on);
    signal(SIGINT, SIG_IGN); /* a terminal sends these to the command as well, which decides */
    signal(SIGQUIT, SIG_IGN);
    while (read(report, &status, sizeof status) < 0 && errno == EINTR) continue;
    if (WIFSIGNALED(status)) {
        prctl(PR_SET_DUMPABLE, 0); /* the command has left its core already */
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : REFUSED);
}

/* As the first process: report the command's end, then take in orphans until the last is gone. */
static void take_in_orphans(pid_t command, int report, int ends_all) {
    int status;
    pid_t pid;
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    passed_on_to = command;
    for (size_t i = 0; i < sizeof PASSED_ON / sizeof *PASSED_ON; i++) signal(PASSED_ON[i], pass_on);
    while ((pid = wait(&status)) > 0 || errno == EINTR) {
        if (pid != command) continue;
        if (write(report, &status, sizeof status) < 0 || ends_all) _exit(0);
        close(report);
        for (int fd = 0; fd < 3; fd++) close(fd); /* a reader of our output must see its end */
    }
    _exit(0);
}

/* Return in the command's process, in a process namespace of its own. */
static void become_command(int ends_all) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) || unshare(CLONE_NEWPID))
        fail("cannot start", strerror(errno), "Try again.");
    pid_t first = fork(); /* into the namespace that unshare() prepared */
    if (first < 0) fail("cannot start", strerror(errno), "Try again.");
    if (first) {
        close(report[1]);
        end_as(first, report[0]);
    }
    close(report[0]);
    if (ends_all) prctl(PR_SET_PDEATHSIG, SIGKILL);
    int proc = MS_NOSUID | MS_NODEV | MS_NOEXEC | (geteuid() ? 0 : MS_RDONLY); /* root: /proc/sys */
    mount("proc", "/proc", "proc", (unsigned long)proc, NULL); /* or the old one stays */
    pid_t command = fork();
    if (command < 0) _exit(REFUSED);
    if (command) take_in_orphans(command, report[1], ends_all);
    close(report[1]);
}
#endif
