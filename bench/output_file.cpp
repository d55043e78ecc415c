#include "output_file.hpp"

#include <cerrno>
#include <cstring>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace {

/// Standard output for the figures alone: whatever is printed from now on goes to standard error.
std::FILE *take_standard_output()
{
    std::fflush(stdout);
    int figures = dup(STDOUT_FILENO);
    if (figures < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return nullptr;
    }
    return fdopen(figures, "w");
}

mode_t mode_of_new_files()
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

} // namespace

OutputFile::~OutputFile()
{
    if (stream_) {
        std::fclose(stream_);
    }
    if (!temporary_.empty()) {
        std::remove(temporary_.c_str());
    }
}

bool OutputFile::complain(int error) const
{
    std::fprintf(
        stderr,
        "terrane-bench: cannot write %s: %s. Name a file in a folder that is there and writable.\n",
        path_.c_str(), std::strerror(error));
    return false;
}

bool OutputFile::open_temporary()
{
    std::string pattern = path_ + ".XXXXXX";
    std::vector<char> name(pattern.begin(), pattern.end());
    name.push_back('\0');
    int file = mkstemp(name.data());
    if (file < 0) {
        return complain(errno);
    }
    temporary_ = name.data();
    (void)fchmod(file, mode_of_new_files());
    stream_ = fdopen(file, "w");
    return stream_ || complain(errno);
}

bool OutputFile::open(const std::string &path)
{
    path_ = path;
    if (path == "-") {
        stream_ = take_standard_output();
        return stream_ || complain(errno);
    }
    struct stat there;
    if (stat(path.c_str(), &there) != 0 || S_ISREG(there.st_mode)) {
        return open_temporary();
    }
    stream_ = std::fopen(path.c_str(), "w");
    return stream_ || complain(errno);
}

bool OutputFile::commit()
{
    bool written = !std::ferror(stream_);
    written = std::fclose(stream_) == 0 && written;
    stream_ = nullptr;
    if (!written || (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0)) {
        return complain(errno);
    }
    temporary_.clear();
    return true;
}
