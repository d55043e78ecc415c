#include "driver/output_file.hpp"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "printable.h"
#include "whole_file.h"

namespace {

/// Reserves standard output for the figures: later output goes to standard error.
std::FILE *take_standard_output()
{
    std::fflush(stdout);
    int figures = dup(STDOUT_FILENO);
    if (figures < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return nullptr;
    }
    return fdopen(figures, "w");
}

/// @return 0, or the error
int replace_file(const std::string &path, const std::string &text)
{
    WholeFile whole;
    const int error = whole_file_open(&whole, path.c_str());
    if (error) {
        return error;
    }
    whole_file_write(&whole, text.data(), text.size());
    return whole_file_finish(&whole);
}

/// Tests whether the file can be written, by creating a temporary file in its folder. @return 0, or
/// the error
int try_file(const std::string &path)
{
    WholeFile whole;
    const int error = whole_file_open(&whole, path.c_str());
    if (!error) {
        whole_file_drop(&whole);
    }
    return error;
}

} // namespace

SignalsHeld::SignalsHeld()
{
    interrupt_hold();
}

SignalsHeld::~SignalsHeld()
{
    interrupt_release();
}

OutputFile::~OutputFile()
{
    if (stream_ && !buffer_) {
        std::fclose(stream_);
    }
}

bool OutputFile::complain(int error) const
{
    std::fprintf(stderr, "terrane-bench: cannot write %s: %s. Name a file in a writable folder.\n",
                 printable(path_).c_str(), std::strerror(error));
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
        const int error = try_file(path);
        if (error) {
            return complain(error);
        }
        buffer_ = std::make_unique<TextBuffer>();
        stream_ = buffer_->stream();
    }
    return stream_ || complain(errno);
}

bool OutputFile::commit()
{
    int error = 0;
    errno = 0;
    if (buffer_) {
        std::string text;
        const SignalsHeld held;
        error = buffer_->take(text) ? replace_file(path_, text) : errno ? errno : EIO;
    } else {
        const bool is_written = !std::ferror(stream_);
        const bool is_closed = std::fclose(stream_) == 0;
        error = is_written && is_closed ? 0 : errno ? errno : EIO;
    }
    stream_ = nullptr;
    return error == 0 || complain(error);
}
