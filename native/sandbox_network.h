/* A network of our own, with a door in it: what 'network = "allowlist"' lets through.
 *
 *   listeners inside  ->  a proxy outside, which knows the list
 *
 * A socket belongs to the network it was made in, whoever holds it. So we open the listeners inside, and a
 * process that was started outside accepts what comes in and connects from there. It shares our table
 * of descriptors until it has taken them; nothing has to be sent, and the confined command has no way
 * to the outside that is not one of these listeners: no route, no name server but the proxy's.
 */
#ifndef SANDBOX_NETWORK_H
#define SANDBOX_NETWORK_H
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "sandbox_policy.h"

enum { PROXY_PORT = 3128, NAMES_PORT = 53, MOST_PORTS = 64, FIRST_FD = 3 };

typedef struct {
    int ready[2];    /* how many listeners there are: the proxy starts when it reads that */
    int lifeline[2]; /* its end tells the proxy that nobody is confined any more */
    int listeners[MOST_PORTS];
} Door;

/* A network of our own has a loopback, and it is down: bring it up, for servers in tests. */
static void loopback_up(void) {
    struct ifreq request = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    if (!ioctl(fd, SIOCGIFFLAGS, &request)) {
        request.ifr_flags |= IFF_UP | IFF_RUNNING;
        ioctl(fd, SIOCSIFFLAGS, &request);
    }
    close(fd);
}

static int door_listen(int port, int kind) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = (in_port_t)((port & 255) << 8 | port >> 8)};
    int fd = (int)syscall(__NR_socket, AF_INET, kind | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (!syscall(__NR_bind, fd, &at, sizeof at) && (kind != SOCK_STREAM || !syscall(__NR_listen, fd, 128))) return fd;
    close(fd);
    return -1;
}

/* As the proxy's process: take the listeners to where the proxy expects them, and become it. */
static void door_become(const Policy *policy, Door *door, const char *name, const char *tag, pid_t parent) {
    char count[16], path[PATH_MAX + 32];
    int number = 0, moved[MOST_PORTS + 1];
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* the table is shared, so no pipe would tell us of its end */
    if (getppid() != parent) _exit(0);
    if (read(door->ready[0], &number, sizeof number) != sizeof number || number <= 0) _exit(0);
    if (read(door->ready[0], door->listeners, (size_t)number * sizeof number) < 0) _exit(0);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    unshare(CLONE_FILES);
    moved[0] = (int)syscall(__NR_fcntl, door->lifeline[0], F_DUPFD, 200);
    for (int i = 0; i < number; i++) moved[i + 1] = (int)syscall(__NR_fcntl, door->listeners[i], F_DUPFD, 200);
    for (int i = 0; i <= number; i++) syscall(__NR_dup3, moved[i], FIRST_FD + i, 0);
    syscall(__NR_close_range, FIRST_FD + number + 1, ~0u, 0);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) syscall(__NR_dup3, null, fd, 0);
    syscall(__NR_setsid);
    if (chdir("/")) _exit(0);
    snprintf(count, sizeof count, "%d", number);
    snprintf(path, sizeof path, "%s/%s", policy->folder, name);
    /* -I: no variable and no folder of a confined command's choice decides what runs out here. */
    char *words[] = {(char *)policy_only(policy, 'X'), "-I", "-m", "snaphook.sandbox.proxy", count, path,
                     (char *)(tag ? tag : ""), NULL};
    if (words[0]) execve(words[0], words, environ);
    _exit(1);
}

/* Start the process that will be the proxy; it waits outside for the listeners. */
static int door_start(const Policy *policy, Door *door, const char *name, const char *tag) {
    if (pipe2(door->ready, O_CLOEXEC) || pipe2(door->lifeline, O_CLOEXEC)) return -1;
    pid_t here = getpid();
    long child = syscall(__NR_clone, CLONE_FILES, 0, 0, 0, 0); /* no signal: nobody's child, as the watcher */
    if (!child) door_become(policy, door, name, tag, here);
    return child < 0 ? -1 : 0;
}

/* Open the listeners, inside, and hand them over: names, the proxy itself, then every port of the list. */
static void door_open(const Policy *policy, Door *door) {
    int count = 0;
    size_t next = 0;
    door->listeners[count++] = door_listen(NAMES_PORT, SOCK_DGRAM);
    door->listeners[count++] = door_listen(PROXY_PORT, SOCK_STREAM);
    for (const char *at; count < MOST_PORTS && (at = policy_next(policy, 'T', &next));) {
        int port = 0, fd;
        for (; *at >= '0' && *at <= '9'; at++) port = 10 * port + *at - '0';
        if ((fd = door_listen(port, SOCK_STREAM)) >= 0) door->listeners[count++] = fd;
    }
    if (door->listeners[0] < 0 || door->listeners[1] < 0) count = 0;
    if (write(door->ready[1], &count, sizeof count) < 0 ||
        write(door->ready[1], door->listeners, (size_t)count * sizeof *door->listeners) < 0)
        fail("cannot start the proxy", strerror(errno), "Try again.");
}

/* Where a proxy is set already it is out of reach now: name ours. Otherwise names lead to it by themselves,
 * and programs that look at these variables behave as they do outside. */
static void door_variables(void) {
    static char *SET[] = {"http_proxy=http://127.0.0.1:3128", "HTTP_PROXY=http://127.0.0.1:3128",
                          "https_proxy=http://127.0.0.1:3128", "HTTPS_PROXY=http://127.0.0.1:3128",
                          "all_proxy=http://127.0.0.1:3128", "ALL_PROXY=http://127.0.0.1:3128"};
    for (size_t i = 0; i < sizeof SET / sizeof *SET; i++) {
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)(strchr(SET[i], '=') - SET[i]), SET[i]);
        if (getenv(name)) putenv(SET[i]);
    }
}
#endif
