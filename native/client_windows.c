/* snaphook-hook.exe: hand one hook call to the daemon, and its answer back to the host.
 *
 *   argv, cwd, environment, stdin  ->  named pipe  ->  stdout, stderr, exit status
 *
 * The protocol, the fallback to Python and the rule that a call which can be blocked is blocked when
 * nobody can answer are those of client.c; its header describes them. Everything on the pipe is UTF-8.
 */
#ifndef UNICODE
#define UNICODE
#endif
#define _UNICODE
#define WIN32_LEAN_AND_MEAN
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0601
#endif
#include <windows.h>
#include <shellapi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#ifndef SNAPHOOK_VERSION
#define SNAPHOOK_VERSION "unknown"
#endif

enum { ANSWER = 2, WORKING = 3 };
enum { SILENCE_MS = 3000, STDIN_MS = 30000, HUNG_S = 60, MAX_BODY = 256 << 20, CLOSED = 2 };
enum { ROOM = 32768 }; /* the longest path Windows knows */

static int silent; /* the daemon took our call and then said nothing: it hangs */

typedef struct {
    char *bytes;
    size_t length, room;
} Buffer;

static void append(Buffer *buffer, const void *bytes, size_t length) {
    if (buffer->length + length > buffer->room) {
        size_t room = (buffer->length + length) * 2 + 4096;
        char *grown = realloc(buffer->bytes, room);
        if (!grown) ExitProcess(CLOSED);
        buffer->bytes = grown;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

static void append_wide(Buffer *buffer, const wchar_t *text) {
    int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *narrow = malloc(length > 0 ? (size_t)length : 1);
    if (!narrow) ExitProcess(CLOSED);
    if (length <= 0) narrow[0] = 0, length = 1;
    else WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, length, NULL, NULL);
    append(buffer, narrow, (size_t)length);
    free(narrow);
}

static void append_number(Buffer *buffer, size_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    append(buffer, digits, strlen(digits) + 1);
}

static uint32_t swapped(uint32_t n) {
    return (n >> 24) | ((n >> 8) & 0xff00u) | ((n << 8) & 0xff0000u) | (n << 24);
}

static void append_block(Buffer *buffer, const Buffer *block) {
    uint32_t length = swapped((uint32_t)block->length);
    append(buffer, &length, sizeof length);
    append(buffer, block->bytes, block->length);
}

/* A pipe that its writer never closes would block ReadFile for ever, so look before reading. */
static void read_stdin(Buffer *body) {
    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    char chunk[65536];
    DWORD got, waiting, silence = 0;
    int piped = GetFileType(input) == FILE_TYPE_PIPE;
    while (body->length < MAX_BODY) {
        if (piped) {
            if (!PeekNamedPipe(input, NULL, 0, NULL, &waiting, NULL)) return; /* closed */
            if (!waiting) {
                if ((silence += 1) > STDIN_MS) return;
                Sleep(1);
                continue;
            }
            silence = 0;
        }
        if (!ReadFile(input, chunk, sizeof chunk, &got, NULL) || !got) return;
        append(body, chunk, got);
    }
}

static int write_out(DWORD which, const char *bytes, size_t length) {
    HANDLE output = GetStdHandle(which);
    DWORD put;
    while (length) {
        DWORD part = length > 65536 ? 65536 : (DWORD)length;
        if (!WriteFile(output, bytes, part, &put, NULL) || !put) return -1;
        bytes += put;
        length -= put;
    }
    return 0;
}

static void append_path(wchar_t *path, const wchar_t *more) {
    if (wcslen(path) + wcslen(more) + 1 < ROOM) wcscat(path, more);
}

static void cut_name(wchar_t *path) {
    wchar_t *slash = wcsrchr(path, L'\\');
    if (slash) *slash = 0;
}

static int exists(const wchar_t *path) {
    DWORD found = GetFileAttributesW(path);
    return found != INVALID_FILE_ATTRIBUTES && !(found & FILE_ATTRIBUTE_DIRECTORY);
}

/* A virtual environment keeps python.exe beside us, an installation one folder up. */
static int find_python(wchar_t *path) {
    DWORD length = GetEnvironmentVariableW(L"SNAPHOOK_PYTHON", path, ROOM);
    if (length && length < ROOM) return exists(path) ? 0 : -1;
    for (int up = 1; up <= 2; up++) {
        if (!GetModuleFileNameW(NULL, path, ROOM)) return -1;
        for (int i = 0; i < up; i++) cut_name(path);
        append_path(path, L"\\python.exe");
        if (exists(path)) return 0;
    }
    return -1;
}

/* Two installs have two daemons: the folder of their Python tells them apart (FNV-1a of its path in
 * lower case, as UTF-8). */
static unsigned install(void) {
    static wchar_t python[ROOM];
    Buffer folder = {0};
    unsigned key = 2166136261u;
    if (find_python(python)) return key;
    cut_name(python);
    CharLowerW(python);
    append_wide(&folder, python);
    for (size_t i = 0; i + 1 < folder.length; i++)
        key = (key ^ (unsigned char)folder.bytes[i]) * 16777619u;
    free(folder.bytes);
    return key;
}

static int find_pipe(wchar_t *name) {
    wchar_t user[257];
    DWORD length = GetEnvironmentVariableW(L"SNAPHOOK_SOCKET", name, ROOM);
    if (length && length < ROOM) return 0;
    length = 257;
    if (!GetUserNameW(user, &length)) return -1;
    CharLowerW(user);
    return swprintf(name, ROOM, L"\\\\.\\pipe\\snaphook-%ls-%08x", user, install()) > 0 ? 0 : -1;
}

static int user_of(HANDLE process, void *into, DWORD room) {
    HANDLE token;
    DWORD length;
    if (!OpenProcessToken(process, TOKEN_QUERY, &token)) return -1;
    int got = GetTokenInformation(token, TokenUser, into, room, &length);
    CloseHandle(token);
    return got ? 0 : -1;
}

/* Anybody may create a pipe of any name first: its server must run as our user. */
static int is_ours(HANDLE pipe) {
    union { TOKEN_USER user; char room[256]; } theirs, ours;
    ULONG pid;
    if (!GetNamedPipeServerProcessId(pipe, &pid)) return 0;
    HANDLE server = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
    if (!server) return 0;
    int same = !user_of(server, &theirs, sizeof theirs) &&
               !user_of(GetCurrentProcess(), &ours, sizeof ours) &&
               EqualSid(theirs.user.User.Sid, ours.user.User.Sid);
    CloseHandle(server);
    return same;
}

/* One read or write on an overlapped handle that gives up after a silence. */
static int transfer(HANDLE pipe, char *bytes, size_t length, int writing) {
    while (length) {
        OVERLAPPED state = {0};
        DWORD moved = 0, part = length > 65536 ? 65536 : (DWORD)length;
        state.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
        if (!state.hEvent) return -1;
        BOOL done = writing ? WriteFile(pipe, bytes, part, NULL, &state)
                            : ReadFile(pipe, bytes, part, NULL, &state);
        if (!done && GetLastError() == ERROR_IO_PENDING) {
            if (WaitForSingleObject(state.hEvent, SILENCE_MS) != WAIT_OBJECT_0) {
                silent = 1;
                CancelIoEx(pipe, &state);
                GetOverlappedResult(pipe, &state, &moved, TRUE);
                CloseHandle(state.hEvent);
                return -1;
            }
            done = TRUE;
        }
        done = done && GetOverlappedResult(pipe, &state, &moved, FALSE);
        CloseHandle(state.hEvent);
        if (!done || !moved) return -1;
        bytes += moved;
        length -= moved;
    }
    return 0;
}

static HANDLE connect_to(const wchar_t *name) {
    for (int tries = 0; tries < 10; tries++) {
        /* Identification only: a stranger's server must not act in our name. */
        HANDLE pipe = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                                  FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
                                  NULL);
        if (pipe != INVALID_HANDLE_VALUE) return pipe;
        if (GetLastError() != ERROR_PIPE_BUSY || !WaitNamedPipeW(name, SILENCE_MS / 10)) break;
    }
    return INVALID_HANDLE_VALUE;
}

static void build_request(Buffer *request, int argc, wchar_t **argv, const Buffer *body) {
    static wchar_t cwd[ROOM];
    Buffer head = {0};
    size_t variables = 0;
    append(&head, SNAPHOOK_VERSION, strlen(SNAPHOOK_VERSION) + 1);
    append_wide(&head, GetCurrentDirectoryW(ROOM, cwd) ? cwd : L"");
    append_number(&head, (size_t)argc - 1);
    for (int i = 1; i < argc; i++) append_wide(&head, argv[i]);
    wchar_t *block = GetEnvironmentStringsW();
    /* "=C:=C:\dir" entries are cmd's own notes, not variables. */
    for (wchar_t *at = block; *at; at += wcslen(at) + 1) variables += *at != L'=';
    append_number(&head, variables);
    for (wchar_t *at = block; *at; at += wcslen(at) + 1)
        if (*at != L'=') append_wide(&head, at);
    FreeEnvironmentStringsW(block);
    append(request, "SNAP\1", 5);
    append_block(request, &head);
    append_block(request, body);
    free(head.bytes);
}

/* Beside the state of the daemon, since a pipe has no folder of its own. */
static int find_note(wchar_t *note) {
    DWORD length = GetEnvironmentVariableW(L"LOCALAPPDATA", note, ROOM - 64);
    if (!length || length >= ROOM - 64) return -1;
    wchar_t name[48];
    swprintf(name, 48, L"\\snaphook\\%08x.hung", install());
    append_path(note, name);
    return 0;
}

static int known_to_hang(const wchar_t *note) {
    WIN32_FILE_ATTRIBUTE_DATA found;
    FILETIME now;
    if (!GetFileAttributesExW(note, GetFileExInfoStandard, &found)) return 0;
    GetSystemTimeAsFileTime(&now);
    uint64_t then = ((uint64_t)found.ftLastWriteTime.dwHighDateTime << 32) | found.ftLastWriteTime.dwLowDateTime;
    uint64_t here = ((uint64_t)now.dwHighDateTime << 32) | now.dwLowDateTime;
    return here - then < (uint64_t)HUNG_S * 10000000u;
}

static void note_that_it_hangs(const wchar_t *note) {
    HANDLE file = CreateFileW(note, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
}

/* Return the exit status to leave with, or -1 if the daemon gave no answer. */
static int ask_daemon(int argc, wchar_t **argv, const Buffer *body) {
    static wchar_t name[ROOM], note[ROOM];
    Buffer request = {0};
    int status = -1, noted = !find_note(note);
    if (find_pipe(name) || (noted && known_to_hang(note))) return -1;
    build_request(&request, argc, argv, body);
    HANDLE pipe = connect_to(name);
    if (pipe == INVALID_HANDLE_VALUE) return -1;
    if (!is_ours(pipe) || transfer(pipe, request.bytes, request.length, 1)) goto done;
    for (;;) {
        char mark[5], code;
        uint32_t lengths[2];
        if (transfer(pipe, mark, sizeof mark, 0) || memcmp(mark, "SNAP", 4)) goto done;
        if (mark[4] == WORKING) continue;
        if (mark[4] != ANSWER || transfer(pipe, &code, 1, 0) ||
            transfer(pipe, (char *)lengths, sizeof lengths, 0))
            goto done;
        size_t out = swapped(lengths[0]), err = swapped(lengths[1]);
        if (out + err > MAX_BODY) goto done;
        char *answer = malloc(out + err + 1);
        if (!answer || transfer(pipe, answer, out + err, 0)) goto done;
        status = (unsigned char)code;
        /* An answer nobody can read is no permission. */
        if (write_out(STD_OUTPUT_HANDLE, answer, out) && !status) status = CLOSED;
        write_out(STD_ERROR_HANDLE, answer + out, err);
        goto done;
    }
done:
    CloseHandle(pipe);
    if (status < 0 && silent && noted) note_that_it_hangs(note);
    return status;
}

/* A Python that cannot find the package would exit with 1, and most hosts take that for "go on". */
static const wchar_t *BOOT =
    L"import sys\n"
    L"try:\n"
    L"    from snaphook.cli.main import run\n"
    L"except BaseException as error:\n"
    L"    sys.exit(sys.stderr.write(f'snaphook-hook: cannot load snaphook: {error!r}. '\n"
    L"        'Reinstall it; until then calls that can be blocked are blocked.\\n') and 2)\n"
    L"sys.exit(run(['hook', *sys.argv[1:]]))\n";

typedef struct {
    wchar_t *text;
    size_t length, room;
} Line;

static void add_char(Line *line, wchar_t c) {
    if (line->length + 2 > line->room) {
        line->room = line->room * 2 + 256;
        line->text = realloc(line->text, line->room * sizeof(wchar_t));
        if (!line->text) ExitProcess(CLOSED);
    }
    line->text[line->length++] = c;
    line->text[line->length] = 0;
}

/* Quote one argument as CommandLineToArgvW reads it: backslashes count only before a quote. */
static void add_word(Line *line, const wchar_t *word) {
    size_t slashes = 0;
    if (line->length) add_char(line, L' ');
    add_char(line, L'"');
    for (; *word; word++) {
        if (*word == L'\\') {
            slashes++;
            continue;
        }
        if (*word == L'"') slashes = slashes * 2 + 1;
        while (slashes) add_char(line, L'\\'), slashes--;
        add_char(line, *word);
    }
    for (slashes *= 2; slashes; slashes--) add_char(line, L'\\');
    add_char(line, L'"');
}

static HANDLE input_file(const Buffer *body) {
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    if (!GetTempPathW(MAX_PATH, folder) || !GetTempFileNameW(folder, L"snp", 0, path))
        return INVALID_HANDLE_VALUE;
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                              &inherited, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file == INVALID_HANDLE_VALUE) return file;
    const char *bytes = body->bytes;
    size_t length = body->length;
    while (length) {
        DWORD put, part = length > 65536 ? 65536 : (DWORD)length;
        if (!WriteFile(file, bytes, part, &put, NULL)) return CloseHandle(file), INVALID_HANDLE_VALUE;
        bytes += put;
        length -= put;
    }
    SetFilePointer(file, 0, NULL, FILE_BEGIN);
    return file;
}

/* Return Python's exit status, or -1 if it could not be started or died of something else. */
static int ask_python(int argc, wchar_t **argv, const Buffer *body) {
    static wchar_t python[ROOM];
    Line line = {0};
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION child;
    DWORD status;
    if (find_python(python)) return -1;
    start.hStdInput = input_file(body);
    if (start.hStdInput == INVALID_HANDLE_VALUE) return -1;
    start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    SetHandleInformation(start.hStdOutput, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetHandleInformation(start.hStdError, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    add_word(&line, python), add_word(&line, L"-I"), add_word(&line, L"-c"), add_word(&line, BOOT);
    for (int i = 1; i < argc; i++) add_word(&line, argv[i]);
    SetEnvironmentVariableW(L"SNAPHOOK_DIRECT", L"1"); /* or Python would ask the daemon we gave up on */
    if (!CreateProcessW(python, line.text, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return -1;
    WaitForSingleObject(child.hProcess, INFINITE);
    if (!GetExitCodeProcess(child.hProcess, &status)) return -1;
    return status == 0 || status == CLOSED ? (int)status : -1;
}

/* Events that only inform must not be stopped because we are broken; all others are. */
static int only_informs(const wchar_t *event) {
    static const wchar_t *names[] = {L"SessionStart", L"SessionEnd", L"Notification", L"PostToolUse",
                                     L"AfterTool",    L"PreCompact", L"PreCompress",  L"Stop",
                                     L"SubagentStop", L"AfterAgent", L"SubagentStart"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!_wcsicmp(event, names[i])) return 1;
    return 0;
}

int main(void) {
    int argc;
    Buffer body = {0};
    wchar_t **argv = CommandLineToArgvW(GetCommandLineW(), &argc);
    if (!argv) return CLOSED;
    read_stdin(&body);
    int status = ask_daemon(argc, argv, &body);
    if (status < 0) status = ask_python(argc, argv, &body);
    if (status >= 0) return status;
    fprintf(stderr,
            "snaphook-hook: neither the daemon nor Python could be reached (error %lu). "
            "Run 'snaphook doctor'; until then calls that can be blocked are blocked.\n",
            GetLastError());
    return argc > 2 && only_informs(argv[2]) ? 1 : CLOSED;
}
