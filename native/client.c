/* snaphook-hook: hand one hook call to the daemon, and its answer back to the host.
 *
 *   argv, cwd, environment, stdin  ->  Unix socket  ->  stdout, stderr, exit status
 *
 * A host starts this program on every tool call, so it does nothing but pass bytes. Whatever goes
 * wrong with the daemon (not there, hung, killed in mid-reply, another version), the same call is
 * made through Python, which answers alike and starts a daemon for the next one. Python is a child
 * that sends its answer in the daemon's form: one that crashes, is killed, cannot load its library,
 * or leaves without a word has sent none. Then, and where an answer cannot be written to stdout,
 * calls that can be blocked are blocked, as their host understands it, with the reason on stderr:
 * most hosts take every other end of a hook for "go on". Such a call is laid down in a file, which the
 * next daemon, or the next call through Python, puts into the record.
 *
 * Request:  "SNAP" kind=1  u32 length  version NUL cwd NUL argc NUL arg NUL … envc NUL NAME=VALUE NUL …
 *           u32 length  stdin
 * Reply:    "SNAP" kind    2 = the answer: u8 status, u32 length stdout, u32 length stderr
 *                          3 = still working (sent every half second), 4 = ask Python instead
 * Numbers are big-endian.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
#include <sys/mman.h>
#endif

#include "closed.h"

#ifndef SNAPHOOK_VERSION
#define SNAPHOOK_VERSION "unknown"
#endif

enum { ANSWER = 2, WORKING = 3, ASK_PYTHON = 4 };
enum { SILENCE_MS = 3000, STDIN_MS = 30000, HUNG_S = 60, MAX_BODY = 256 << 20, CLOSED = 2 };
enum { KEPT_BODY = 64 << 10, MOST_KEPT = 1000 };
enum { PATIENCE = 540, LOOK_MS = 100, TRY_AGAIN = 75, ATTEMPTS = 8, PAUSE_MS = 300 };

static int last_status; /* of a Python that gave no answer */
static int silent; /* the daemon took our call and then said nothing: it hangs */
static const char *host = "", *event = "";

extern char **environ;

typedef struct {
    char *bytes;
    size_t length, room;
} Buffer;

static Buffer call; /* what the host sent */

static const Closed *closed_answer(void) {
    for (size_t i = 0; i < sizeof CLOSED_ANSWERS / sizeof *CLOSED_ANSWERS; i++)
        if (!strcmp(host, CLOSED_ANSWERS[i].host) && !strcasecmp(event, CLOSED_ANSWERS[i].event))
            return &CLOSED_ANSWERS[i];
    return NULL;
}

/* Events that only inform must not be stopped because we are broken; all others are. */
static int only_informs(void) {
    static const char *names[] = {"SessionStart", "SessionEnd",  "Notification", "PostToolUse",
                                  "AfterTool",    "PreCompact",  "PreCompress",  "Stop",
                                  "SubagentStop", "AfterAgent",  "SubagentStart"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(event, names[i])) return 1;
    return 0;
}

static int put(int fd, const char *bytes, size_t length) {
    while (length) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return -1;
        bytes += done;
        length -= (size_t)done;
    }
    return 0;
}

/* Make every folder of *path* that is missing; what is in them is ours alone. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

/* A folder that is full belongs to an install that is broken for long: the first calls say why. */
static int is_full(const char *folder) {
    DIR *open_folder = opendir(folder);
    int count = 0;
    while (open_folder && count < MOST_KEPT && readdir(open_folder)) count++;
    if (open_folder) closedir(open_folder);
    return count >= MOST_KEPT;
}

/* Lay the call down for the next daemon, or the next call through Python, to record: nobody else has
 * seen what we answer ourselves. It has its name once all of it is on disk. */
static void lay_down(const char *what, const char *why, int stops) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    static char folder[PATH_MAX], draft[PATH_MAX + 64], name[PATH_MAX + 64], cwd[PATH_MAX];
    struct timespec now;
    char moment[40];
    if (data && *data == '/')
        snprintf(folder, sizeof folder, "%s/snaphook/refused", data);
    else if (home && *home == '/')
        snprintf(folder, sizeof folder, "%s/.local/share/snaphook/refused", home);
    else
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(moment, sizeof moment, "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
    snprintf(draft, sizeof draft, "%s/.%s-%d", folder, moment, (int)getpid());
    snprintf(name, sizeof name, "%s/%s-%d.call", folder, moment, (int)getpid());
    make_folders(folder);
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int fd = is_full(folder) ? -1 : open(draft, flags, 0600);
    if (fd < 0) return;
    const char *told[] = {"1",   moment, host, event, getcwd(cwd, sizeof cwd) ? cwd : "",
                          what, why,    stops ? "1" : "0"};
    int wrong = 0;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        wrong |= put(fd, told[i], strlen(told[i]) + 1);
    wrong |= put(fd, call.bytes, call.length < KEPT_BODY ? call.length : KEPT_BODY);
    wrong |= fsync(fd) | close(fd);
    if (wrong || rename(draft, name)) unlink(draft);
}

/* Leave with no answer but our own. Nothing here allocates: memory may be what is missing. */
static _Noreturn void closed(const char *what, const char *why) {
    const Closed *answer = closed_answer();
    int status = answer ? answer->status : only_informs() ? 1 : CLOSED;
    char text[1024];
    lay_down(what, why, answer ? status != 1 : !only_informs());
    snprintf(text, sizeof text,
             "snaphook-hook: %s (%s). Run 'snaphook doctor'; until then calls that can be blocked "
             "are blocked.\n",
             what, why);
    put(2, text, strlen(text));
    if (answer && *answer->document && put(1, answer->document, strlen(answer->document)))
        status = CLOSED;
    _exit(status);
}

static void append(Buffer *buffer, const void *bytes, size_t length) {
    if (buffer->length + length > buffer->room) {
        size_t room = (buffer->length + length) * 2 + 4096;
        char *grown = realloc(buffer->bytes, room);
        if (!grown) closed("out of memory", strerror(errno));
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
        length = 0;
    /* A socket's path is short by the kernel's rules; a runtime folder may be long. */
    if (!(given && *given) && (length <= 0 || (size_t)length >= room))
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

/* An answer that its host cannot read is none: a refusal lost on a full disk would let the call
 * through. stderr comes first, so that its text is there whatever happens to stdout. */
static void pass_on(const char *answer, size_t out, size_t err) {
    write_all(2, answer + out, err);
    if (write_all(1, answer, out)) closed("the answer cannot be written to stdout", strerror(errno));
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
        pass_on(answer, out, err);
        status = code;
        goto done;
    }
done:
    close(fd);
    if (status < 0 && silent) note_that_it_hangs(note);
    return status;
}

/* While the package is being upgraded in place, parts of it are missing for a moment: Python then
 * leaves with TRY_AGAIN, and is asked anew. */
static const char *BOOT =
    "import sys\n"
    "try:\n"
    "    from snaphook.cli.main import run\n"
    "except BaseException as error:\n"
    "    import os\n"
    "    if os.environ.get('SNAPHOOK_ATTEMPT'):\n"
    "        sys.exit(75)\n"
    "    sys.exit(sys.stderr.write(f'snaphook-hook: cannot load snaphook: {error!r}. '\n"
    "        'Reinstall it; until then calls that can be blocked are blocked.\\n') and 2)\n"
    "sys.exit(run(['hook', *sys.argv[1:]]))\n";

static int spool(const Buffer *body) {
    int fd = -1;
#ifdef MFD_CLOEXEC
    fd = memfd_create("stdin", MFD_CLOEXEC);
#endif
    if (fd < 0) {
        FILE *copy = tmpfile();
        if (!copy) return -1;
        fd = fileno(copy);
    }
    return put(fd, body->bytes, body->length) ? -1 : fd;
}

/* Start Python with *input* as its stdin; its answer comes through the pipe whose end we return.
 * What hooks print goes to stderr, for stdout holds the answer and nothing else. */
static pid_t start_python(int argc, char **argv, const char *python, int input, int *from) {
    int ends[2];
    char number[16];
    char **words = calloc((size_t)argc + 4, sizeof *words);
    if (!words || pipe(ends)) return -1;
    words[0] = (char *)python, words[1] = "-I", words[2] = "-c", words[3] = (char *)BOOT;
    for (int i = 1; i < argc; i++) words[3 + i] = argv[i];
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv("SNAPHOOK_ANSWER_FD", number, 1);
    setenv("SNAPHOOK_DIRECT", "1", 1); /* or Python would ask the daemon we have just given up on */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        if (dup2(input, 0) < 0 || dup2(2, 1) < 0) _exit(CLOSED);
        signal(SIGPIPE, SIG_DFL);
        execv(python, words);
        _exit(CLOSED);
    }
    free(words);
    close(ends[1]);
    *from = ends[0];
    return child;
}

/* Say how *child* ended, or NULL while it runs. */
static const char *ended(pid_t child, char *how, size_t room) {
    int status;
    if (waitpid(child, &status, WNOHANG) != child) return NULL;
    last_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (WIFSIGNALED(status))
        snprintf(how, room, "Python was ended by signal %d", WTERMSIG(status));
    else
        snprintf(how, room, "Python left with status %d and no answer", WEXITSTATUS(status));
    return how;
}

/* Wait for the next *length* bytes of the answer. A grandchild may hold the pipe open after Python
 * is gone, so its end is looked for as well as the pipe's. */
static const char *gather(int from, void *into, size_t length, pid_t child, int *left) {
    static char how[80];
    char *bytes = into;
    const char *over = NULL;
    while (length) {
        if (ready(from, POLLIN, over ? 0 : LOOK_MS)) {
            ssize_t got = read(from, bytes, length);
            if (got < 0 && errno == EINTR) continue;
            if (got > 0) {
                bytes += got, length -= (size_t)got;
                continue;
            }
            for (int i = 0; !over && i < 10; i++)
                if (!(over = ended(child, how, sizeof how))) ready(-1, 0, 10);
            return over ? over : "Python gave no answer";
        }
        if (over) return over;
        over = ended(child, how, sizeof how);
        if (!over && (*left -= 1) < 0) {
            kill(child, SIGKILL);
            return "Python did not answer in time";
        }
    }
    return NULL;
}

/* Return why there is no answer, or leave with it. */
static const char *ask_once(int argc, char **argv, const char *python, int input) {
    unsigned char head[14];
    uint32_t lengths[2];
    const Closed *limits = closed_answer();
    int from = -1, left = limits ? limits->patience : PATIENCE;
    if (lseek(input, 0, SEEK_SET)) return strerror(errno);
    pid_t child = start_python(argc, argv, python, input, &from);
    if (child < 0) return strerror(errno);
    const char *wrong = gather(from, head, sizeof head, child, &left);
    if (wrong) return close(from), wrong;
    if (memcmp(head, "SNAP\2", 5)) return "Python made no sense";
    memcpy(lengths, head + 6, sizeof lengths);
    size_t out = ntohl(lengths[0]), err = ntohl(lengths[1]);
    char *answer = out + err > MAX_BODY ? NULL : malloc(out + err + 1);
    if (!answer) return "the answer is too long";
    wrong = gather(from, answer, out + err, child, &left);
    if (wrong) return wrong;
    pass_on(answer, out, err);
    _exit(head[5]);
}

static _Noreturn void ask_python(int argc, char **argv, const Buffer *body) {
    static char python[PATH_MAX];
    static const char *what = "neither the daemon nor Python could be reached";
    const char *wrong = NULL;
    if (find_python(python, sizeof python)) closed(what, "no Python beside this program");
    int input = spool(body);
    if (input < 0) closed(what, strerror(errno));
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
        if (attempt < ATTEMPTS) setenv("SNAPHOOK_ATTEMPT", "1", 1);
        else unsetenv("SNAPHOOK_ATTEMPT");
        last_status = -1;
        wrong = ask_once(argc, argv, python, input);
        if (last_status != TRY_AGAIN) break;
        ready(-1, 0, PAUSE_MS);
    }
    closed("neither the daemon nor Python gave an answer", wrong);
}

/* A stream that is closed must not become our socket: what we write to it would go to the daemon.
 * Each gets a file that refuses what the stream is for. */
static void keep_streams(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0) {
            int opened = open("/dev/null", fd ? O_RDONLY : O_WRONLY);
            if (opened >= 0 && opened != fd) dup2(opened, fd), close(opened);
        }
}

int main(int argc, char **argv) {
    const char *direct = getenv("SNAPHOOK_DIRECT");
    if (argc > 1) host = argv[1];
    if (argc > 2) event = argv[2];
    keep_streams();
    signal(SIGPIPE, SIG_IGN);
    read_stdin(&call);
    int status = direct && *direct ? -1 : ask_daemon(argc, argv, &call);
    if (status >= 0) return status;
    ask_python(argc, argv, &call);
}
