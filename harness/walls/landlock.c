/* Landlock: a process gives up what it does not need of files, TCP, and signals to others. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/walls/isolation_internal.h"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>

/* The header of an older system knows less than the kernel that this runs on: the kernel's own numbers. */
struct ruleset {
    uint64_t files, network, scoped;
};
#define EXECUTE     UINT64_C(0x0001)
#define WRITE_FILE  UINT64_C(0x0002)
#define READ_FILE   UINT64_C(0x0004)
#define READ_DIR    UINT64_C(0x0008)
#define REMOVE_DIR  UINT64_C(0x0010)
#define REMOVE_FILE UINT64_C(0x0020)
#define MAKE_DIR    UINT64_C(0x0080)
#define MAKE_REG    UINT64_C(0x0100)
#define FIRST_ABI   UINT64_C(0x1fff)
#define REFER       UINT64_C(0x2000) /* since 2 */
#define TRUNCATE    UINT64_C(0x4000) /* since 3 */
#define IOCTL_DEV   UINT64_C(0x8000) /* since 5 */
#define TCP         UINT64_C(3)      /* bind and connect, since 4 */
#define SCOPED      UINT64_C(3)      /* abstract sockets and signals, since 6 */

#define OF_A_FILE (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
#define TO_USE    (EXECUTE | READ_FILE | READ_DIR)
#define TO_READ   (READ_FILE | READ_DIR)
#define TO_WRITE  (TO_READ | WRITE_FILE | TRUNCATE | MAKE_REG | REMOVE_FILE | MAKE_DIR | REMOVE_DIR)

int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static uint64_t known_rights(int version)
{
    return FIRST_ABI | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
           (version >= 5 ? IOCTL_DEV : 0);
}

/* What is not there needs no permission. */
static bool allow(int rules, const char *path, uint64_t rights)
{
    struct stat info;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    bool good = fstat(fd, &info) == 0;
    struct landlock_path_beneath_attr rule = {
        .parent_fd = fd, .allowed_access = S_ISDIR(info.st_mode) ? rights : rights & OF_A_FILE};
    good = good && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(fd);
    return good;
}

static bool allow_all(int rules, const char *const *paths, uint64_t rights)
{
    for (; paths && *paths; paths++)
        if (!allow(rules, *paths, rights))
            return false;
    return true;
}

bool landlock_forbids(int version, bool files)
{
    return version >= (files ? 1 : 4);
}

int landlock_rules(const struct isolation_config *config, const char *const *own, bool files)
{
    const int version = landlock_version();
    const struct ruleset attributes = {.files = files ? known_rights(version) : 0,
                                       .network = version >= 4 ? TCP : 0,
                                       .scoped = version >= 6 ? SCOPED : 0};
    const size_t size = (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(uint64_t);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (rules < 0 || !files)
        return rules;
    if (allow(rules, config->command, TO_USE & OF_A_FILE) &&
        allow_all(rules, isolation_system_paths(config->kind), TO_USE) && allow_all(rules, own, TO_USE) &&
        allow_all(rules, config->readable, TO_READ) &&
        (!config->writable || allow(rules, config->writable, TO_WRITE & known_rights(version))) &&
        (config->kind != ISOLATION_COMPILER ||
         allow(rules, "/dev/null", (READ_FILE | WRITE_FILE | TRUNCATE) & known_rights(version))))
        return rules;
    int error = errno;
    close(rules);
    errno = error;
    return -1;
}

bool landlock_enter(int rules)
{
    return syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

#else

int landlock_version(void)
{
    errno = ENOSYS;
    return 0;
}

bool landlock_forbids(int version, bool files)
{
    (void)version;
    (void)files;
    return false;
}

int landlock_rules(const struct isolation_config *config, const char *const *own, bool files)
{
    (void)config;
    (void)own;
    (void)files;
    errno = ENOSYS;
    return -1;
}

bool landlock_enter(int rules)
{
    (void)rules;
    return true;
}

#endif
