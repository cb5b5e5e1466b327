/* A policy as Python compiled it: records, each a letter, a text and a NUL.
 *
 *   W path  a tree that may be written          D path  a device that may be written
 *   K path  stays read-only in a writable tree  P path  stays writable and cannot be renamed away
 *   M path  a secret: cannot be read            S path  a socket that leads outside: hidden
 *   O path  a tree whose changes go to an overlay    A path  a protected name that is still free
 *   R path  the project, which A starts from where it has no slash in front
 *   U name  an environment variable to drop     N open | off | list
 *   H host  may be reached (N list)             T port  at which hosts of the list may be reached
 *   X path  the program that lets them through  L path  the file that names the name servers
 *
 *   B text  the whole policy as a profile for macOS's sandbox-exec
 *
 * Paths come outer ones first: each is laid over those before it.
 *
 * The name of a policy is the start of the SHA-256 of its bytes. So it does not matter who can
 * write where policies lie: another text has another name, and the guard lets only its own pass.
 */
#ifndef SANDBOX_POLICY_H
#define SANDBOX_POLICY_H
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sandbox_sha256.h"

enum { POLICY_NAME = 16, POLICY_MOST = 1 << 20, MOST_RECORDS = 4096, REFUSED = 126, NOT_FOUND = 127 };

typedef struct {
    char *bytes;
    size_t length;
    char folder[PATH_MAX]; /* where it lies; beside it are the empty file and the empty folder */
    const char *project;
    const char *records[MOST_RECORDS]; /* found once: we look through them a dozen times */
    size_t count;
} Policy;

static void fail(const char *what, const char *detail, const char *fix) {
    fprintf(stderr, "snaphook-sandbox: %s%s%s. %s\n", what, detail ? ": " : "", detail ? detail : "", fix);
    exit(REFUSED);
}

/* Return the text of the first record of *kind* from number *next* on, or NULL; *next* goes past it. */
static const char *policy_next(const Policy *policy, char kind, size_t *next) {
    while (*next < policy->count) {
        const char *record = policy->records[(*next)++];
        if (*record == kind) return record + 1;
    }
    return NULL;
}

static const char *policy_only(const Policy *policy, char kind) {
    size_t next = 0;
    return policy_next(policy, kind, &next);
}

static void policy_find_records(Policy *policy) {
    const char *end = policy->bytes + policy->length;
    for (const char *at = policy->bytes; at < end; at++) {
        if (policy->count == MOST_RECORDS) fail("the policy is too long", NULL, "Shorten [sandbox] lists.");
        policy->records[policy->count++] = at;
        while (*at) at++;
    }
    policy->project = policy_only(policy, 'R');
}

static int policy_read(Policy *policy, const char *folder, const char *name) {
    char path[PATH_MAX + 32], hex[65];
    struct stat found;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX) return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (fstat(fd, &found) || !S_ISREG(found.st_mode) || found.st_size > POLICY_MOST ||
        !(policy->bytes = malloc((size_t)found.st_size + 1)) ||
        read(fd, policy->bytes, (size_t)found.st_size) != found.st_size) {
        close(fd);
        return -1;
    }
    close(fd);
    policy->length = (size_t)found.st_size;
    policy->bytes[policy->length] = 0;
    snprintf(policy->folder, sizeof policy->folder, "%s", folder);
    sha256_hex(policy->bytes, policy->length, hex);
    if (strncmp(hex, name, POLICY_NAME))
        fail("the policy was changed after it was written", path, "Run the command again.");
    policy_find_records(policy);
    return 0;
}

/* Find the policy that *given* names: NAME below the data folder, or /folder/NAME. */
static void policy_load(Policy *policy, const char *given) {
    static const char *ENDS[][2] = {{"XDG_DATA_HOME", "/snaphook/sandbox"},
                                    {"HOME", "/.local/share/snaphook/sandbox"},
                                    {"HOME", "/Library/Application Support/snaphook/sandbox"}};
    const char *slash = strrchr(given, '/'), *name = slash ? slash + 1 : given;
    char folder[PATH_MAX];
    if (strlen(name) != POLICY_NAME || strspn(name, "0123456789abcdef") != POLICY_NAME)
        fail("not the name of a policy", given, "Use 'snaphook sandbox run -- COMMAND'.");
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - given), given);
        if (!policy_read(policy, folder, name)) return;
    }
    for (size_t i = 0; !slash && i < sizeof ENDS / sizeof *ENDS; i++) {
        const char *start = getenv(ENDS[i][0]);
        if (!start || *start != '/') continue;
        snprintf(folder, sizeof folder, "%s%s", start, ENDS[i][1]);
        if (!policy_read(policy, folder, name)) return;
    }
    fail("no such policy", given, "Use 'snaphook sandbox run -- COMMAND'.");
}
#endif
