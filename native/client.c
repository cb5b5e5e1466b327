/* snaphook-hook: hand one hook call to the daemon, and its answer back to the host.
 *
 *   argv, cwd, environment, stdin  ->  Unix socket  ->  stdout, stderr, exit status
 *
 * A host starts this program on every tool call, so it does nothing but pass bytes. Whatever goes
 * wrong with the daemon (not there, hung, killed in mid-reply, another version), the same call is
 * made through Python, which answers alike and starts a daemon for the next one. Where even that
 * cannot be started, calls that can be blocked are blocked, with the reason on stderr.
 *
 * Request:  "SNAP" kind=1  u32 length  version NUL cwd NUL argc NUL arg NUL … envc NUL NAME=VALUE NUL …
 *           u32 length  stdin
 * Reply:    "SNAP" kind    2 = the answer: u8 status, u32 length stdout, u32 length stderr
 *                          3 = still working (sent every half second), 4 = ask Python instead
 * Numbers are big-endian.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#ifndef SNAPHOOK_VERSION
#define SNAPHOOK_VERSION "unknown"
#endif

enum { ANSWER = 2, WORKING = 3, ASK_PYTHON = 4 };
enum { SILENCE_MS = 3000, STDIN_MS = 30000, HUNG_S = 60, MAX_BODY = 256 << 20, CLOSED = 2 };

static int silent; /* the daemon took our call and then said nothing: it hangs */

extern char **environ;

typedef struct {
    char *bytes;
    size_t length, room;
} Buffer;

static void append(Buffer *buffer, const void *bytes, size_t length) {
    if (buffer->length + length > buffer->room) {
        size_t room = (buffer->length + length) * 2 + 4096;
        char *grown = realloc(buffer->bytes, room);
        if (!grown) abort();
        buffer->bytes = grown;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

static void append_text(Buffer *buffer, const char *text) { append(buffer, text, strlen(text) + 1); }

static void append_number(Buffer *buffer, size_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", number);
    append_text(buffer, digits);
}

static void append_block(Buffer *buffer, const Buffer *block) {
    uint32_t length = htonl((uint32_t)block->length);
    append(buffer, &length, sizeof length);
    append(buffer, block->bytes, block->length);
}

static int ready(int fd, short events, int milliseconds) {
    struct pollfd waiting = {.fd = fd, .events = events};
    int found;
    while ((found = poll(&waiting, 1, milliseconds)) < 0 && errno == EINTR) continue;
    return found > 0;
}

/* Some hosts never close stdin: read what comes until it ends or falls silent for too long. */
static void read_stdin(Buffer *body) {
    char chunk[65536];
    while (body->length < MAX_BODY && ready(0, POLLIN, STDIN_MS)) {
        ssize_t got = read(0, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        append(body, chunk, (size_t)got);
    }
}

static int write_all(int fd, const char *bytes, size_t length) {
    while (length) {
        if (!ready(fd, POLLOUT, SILENCE_MS)) return silent = 1, -1;
        ssize_t put = write(fd, bytes, length);
        if (put < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (put <= 0) return -1;
        bytes += put;
        length -= (size_t)put;
    }
    return 0;
}

static int read_all(int fd, void *into, size_t length) {
    char *bytes = into;
    while (length) {
        if (!ready(fd, POLLIN, SILENCE_MS)) return silent = 1, -1;
        ssize_t got = read(fd, bytes, length);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return -1;
        bytes += got;
        length -= (size_t)got;
    }
    return 0;
}

/* Python is beside us, where the package put both; SNAPHOOK_PYTHON names another. */
static int find_python(char *path, size_t room) {
    const char *given = getenv("SNAPHOOK_PYTHON");
    char self[PATH_MAX] = "";
    int length;
    if (given && *given) {
        length = snprintf(path, room, "%s", given);
    } else {
#ifdef __APPLE__
        uint32_t size = sizeof self;
        if (_NSGetExecutablePath(self, &size)) return -1;
#else
        if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0) return -1;
#endif
        char *slash = strrchr(self, '/');
        if (!slash) return -1;
        *slash = 0;
        length = snprintf(path, room, "%s/python3", self);
    }
    return length > 0 && (size_t)length < room && !access(path, X_OK) ? 0 : -1;
}

/* Two installs have two daemons, each with its own code: the folder of their Python tells them
 * apart (FNV-1a of its real path, as in place.py). */
static unsigned install(void) {
    char python[PATH_MAX], folder[PATH_MAX];
    unsigned key = 2166136261u;
    find_python(python, sizeof python);
    char *slash = strrchr(python, '/');
    if (slash) *slash = 0;
    if (!realpath(slash == python ? "/" : python, folder)) return key;
    for (const char *at = folder; *at; at++) key = (key ^ (unsigned char)*at) * 16777619u;
    return key;
}

/* The socket's folder must be ours alone, or somebody else could answer in the daemon's place. */
static int find_socket(char *path, size_t room) {
    const char *given = getenv("SNAPHOOK_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
    char folder[PATH_MAX];
    struct stat found;
    int length;
    if (given && *given)
        length = snprintf(path, room, "%s", given);
    else if (runtime && *runtime)
        length = snprintf(path, room, "%s/snaphook/%08x.sock", runtime, install());
    else
        length = snprintf(path, room, "/tmp/snaphook-%u/%08x.sock", (unsigned)getuid(), install());
    if (length <= 0 || (size_t)length >= room) return -1;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder) return -1;
    *slash = 0;
    if (lstat(folder, &found) || !S_ISDIR(found.st_mode)) return -1;
    return found.st_uid == getuid() && !(found.st_mode & 077) ? 0 : -1;
}

/* A daemon that hangs costs one call its three seconds; the next calls pass it by, until another
 * daemon has taken its place and removed the note, or the note is old. */
static int known_to_hang(const char *note) {
    struct stat found;
    return !lstat(note, &found) && time(NULL) - found.st_mtime < HUNG_S;
}

static void note_that_it_hangs(const char *note) {
    int fd = open(note, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return;
    futimens(fd, NULL); /* an empty file truncated again keeps its time */
    close(fd);
}

static int connect_to(const struct sockaddr_un *address) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    if (connect(fd, (const struct sockaddr *)address, sizeof *address)) return close(fd), -1;
    return fd;
}

static void build_request(Buffer *request, int argc, char **argv, const Buffer *body) {
    char cwd[PATH_MAX];
    Buffer head = {0};
    size_t variables = 0;
    append_text(&head, SNAPHOOK_VERSION);
    append_text(&head, getcwd(cwd, sizeof cwd) ? cwd : "");
    append_number(&head, (size_t)argc - 1);
    for (int i = 1; i < argc; i++) append_text(&head, argv[i]);
    while (environ[variables]) variables++;
    append_number(&head, variables);
    for (size_t i = 0; i < variables; i++) append_text(&head, environ[i]);
    append(request, "SNAP\1", 5);
    append_block(request, &head);
    append_block(request, body);
    free(head.bytes);
}

/* Return the exit status to leave with, or -1 if the daemon gave no answer. Nothing is passed on
 * before the whole answer is here: half an answer from us and a second one from Python is worse. */
static int ask_daemon(int argc, char **argv, const Buffer *body) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char note[sizeof address.sun_path + 8];
    Buffer request = {0};
    int status = -1;
    if (find_socket(address.sun_path, sizeof address.sun_path)) return -1;
    snprintf(note, sizeof note, "%s.hung", address.sun_path);
    if (known_to_hang(note)) return -1;
    build_request(&request, argc, argv, body); /* before we knock: the daemon need not wait for it */
    int fd = connect_to(&address);
    if (fd < 0) return -1;
    if (write_all(fd, request.bytes, request.length)) goto done;
    for (;;) {
        unsigned char mark[5], code;
        uint32_t lengths[2];
        if (read_all(fd, mark, sizeof mark) || memcmp(mark, "SNAP", 4)) goto done;
        if (mark[4] == WORKING) continue;
        if (mark[4] != ANSWER || read_all(fd, &code, 1) || read_all(fd, lengths, sizeof lengths))
            goto done;
        size_t out = ntohl(lengths[0]), err = ntohl(lengths[1]);
        if (out + err > MAX_BODY) goto done;
        char *answer = malloc(out + err + 1);
        if (!answer || read_all(fd, answer, out + err)) goto done;
        write_all(1, answer, out);
        write_all(2, answer + out, err);
        status = code;
        goto done;
    }
done:
    close(fd);
    if (status < 0 && silent) note_that_it_hangs(note);
    return status;
}

/* A Python that cannot find the package would exit with 1, and most hosts take that for "go on". */
static const char *BOOT =
    "import sys\n"
    "try:\n"
    "    from snaphook.cli.main import run\n"
    "except BaseException as error:\n"
    "    sys.exit(sys.stderr.write(f'snaphook-hook: cannot load snaphook: {error!r}. '\n"
    "        'Reinstall it; until then calls that can be blocked are blocked.\\n') and 2)\n"
    "sys.exit(run(['hook', *sys.argv[1:]]))\n";

static void ask_python(int argc, char **argv, const Buffer *body) {
    static char python[PATH_MAX];
    if (find_python(python, sizeof python)) return;
    FILE *copy = tmpfile();
    if (!copy || write_all(fileno(copy), body->bytes, body->length)) return;
    if (lseek(fileno(copy), 0, SEEK_SET) || dup2(fileno(copy), 0) < 0) return;
    char **words = calloc((size_t)argc + 4, sizeof *words);
    if (!words) return;
    words[0] = python, words[1] = "-I", words[2] = "-c", words[3] = (char *)BOOT;
    for (int i = 1; i < argc; i++) words[3 + i] = argv[i];
    setenv("SNAPHOOK_DIRECT", "1", 1); /* or Python would ask the daemon we have just given up on */
    signal(SIGPIPE, SIG_DFL);
    execv(python, words);
}

/* Events that only inform must not be stopped because we are broken; all others are. */
static int only_informs(const char *event) {
    static const char *names[] = {"SessionStart", "SessionEnd",  "Notification", "PostToolUse",
                                  "AfterTool",    "PreCompact",  "PreCompress",  "Stop",
                                  "SubagentStop", "AfterAgent",  "SubagentStart"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(event, names[i])) return 1;
    return 0;
}

int main(int argc, char **argv) {
    Buffer body = {0};
    signal(SIGPIPE, SIG_IGN);
    read_stdin(&body);
    int status = ask_daemon(argc, argv, &body);
    if (status >= 0) return status;
    ask_python(argc, argv, &body);
    fprintf(stderr,
            "snaphook-hook: neither the daemon nor Python could be reached (%s). "
            "Run 'snaphook doctor'; until then calls that can be blocked are blocked.\n",
            strerror(errno));
    return argc > 2 && only_informs(argv[2]) ? 1 : CLOSED;
}
