/* report_pipe.c - see report_pipe.h. */
#include "report_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "engine/messages.h"
#include "engine/run.h"

bool report_is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

int report_pipe_hold(const char *path)
{
    if (!report_is_pipe(path)) {
        return -1;
    }
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENXIO) {
        run_notice("%s is a pipe that nobody reads; the report waits for its reader", path);
        fd = open(path, O_WRONLY | O_CLOEXEC);
    }
    return fd;
}
