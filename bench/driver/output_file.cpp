#include "driver/output_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// Standard output for the figures alone: whatever is printed later goes to standard error.
std::FILE *take_standard_output()
{
    std::fflush(stdout);
    int figures = dup(STDOUT_FILENO);
    if (figures < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return nullptr;
    }
    return fdopen(figures, "w");
}

/// A new, empty partial file. What a killed program left under its name goes. @return -1 on failure
int create_partial(const std::string &path)
{
    const std::string partial = partial_path(path);
    (void)unlink(partial.c_str());
    return ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

bool write_whole(int file, const char *text, std::size_t size)
{
    while (size > 0) {
        const ssize_t done = write(file, text, size);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        text += done > 0 ? done : 0;
        size -= done > 0 ? static_cast<std::size_t>(done) : 0;
    }
    return true;
}

/// @return 0, or the error
int replace_file(const std::string &path, const char *text, std::size_t size)
{
    const SignalsHeld held;
    const int file = create_partial(path);
    if (file < 0) {
        return errno;
    }
    int error = write_whole(file, text, size) ? 0 : errno;
    error = close(file) != 0 && !error ? errno : error;
    if (error) {
        (void)unlink(partial_path(path).c_str());
        return error;
    }
    return commit_partial(path) ? 0 : errno;
}

} // namespace

SignalsHeld::SignalsHeld()
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
}

SignalsHeld::~SignalsHeld()
{
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::string partial_path(const std::string &path)
{
    return path + ".terrane-partial";
}

bool commit_partial(const std::string &path)
{
    const std::string partial = partial_path(path);
    if (std::rename(partial.c_str(), path.c_str()) == 0) {
        return true;
    }
    const int error = errno;
    (void)unlink(partial.c_str());
    errno = error;
    return false;
}

OutputFile::~OutputFile()
{
    if (stream_) {
        std::fclose(stream_);
    }
    std::free(text_);
}

bool OutputFile::complain(int error) const
{
    std::fprintf(stderr, "terrane-bench: cannot write %s: %s. Name a file in a writable folder.\n",
                 path_.c_str(), std::strerror(error));
    return false;
}

bool OutputFile::open(const std::string &path)
{
    path_ = path;
    struct stat found;
    const bool exists = stat(path.c_str(), &found) == 0;
    if (path == "-") {
        stream_ = take_standard_output();
    } else if (exists && S_ISDIR(found.st_mode)) {
        return complain(EISDIR);
    } else if (exists && !S_ISREG(found.st_mode)) {
        stream_ = std::fopen(path.c_str(), "w");
    } else {
        const SignalsHeld held;
        const int trial = create_partial(path);
        if (trial < 0) {
            return complain(errno);
        }
        close(trial);
        (void)unlink(partial_path(path).c_str());
        is_in_memory_ = true;
        stream_ = open_memstream(&text_, &size_);
    }
    return stream_ || complain(errno);
}

bool OutputFile::commit()
{
    bool written = !std::ferror(stream_);
    written = std::fclose(stream_) == 0 && written;
    stream_ = nullptr;
    const int error = !written ? errno : is_in_memory_ ? replace_file(path_, text_, size_) : 0;
    return (written && error == 0) || complain(error);
}
