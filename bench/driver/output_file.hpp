/// A file that figures are written to: tested before anything is measured, and replaced as a whole
/// once everything is written.
#pragma once

#include <csignal>
#include <cstdio>
#include <string>

/// Holds SIGINT and SIGTERM back while it lives, so that a temporary file never outlives its
/// writer.
class SignalsHeld {
  public:
    SignalsHeld();
    ~SignalsHeld();
    SignalsHeld(const SignalsHeld &) = delete;
    SignalsHeld &operator=(const SignalsHeld &) = delete;

  private:
    sigset_t before_;
};

class OutputFile {
  public:
    OutputFile() = default;
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    ~OutputFile();

    /// "-" is standard output; everything else printed then goes to standard error. A pipe or
    /// device is opened at once, which waits for a pipe's reader. Anything else is kept in memory
    /// until commit(). Reports on standard error what is wrong.
    bool open(const std::string &path);

    bool is_open() const
    {
        return stream_ != nullptr;
    }
    std::FILE *stream() const
    {
        return stream_;
    }

    /// Writes the file. Reports on standard error what is wrong.
    bool commit();

  private:
    bool complain(int error) const;

    std::string path_;
    std::FILE *stream_ = nullptr;
    bool is_in_memory_ = false;
    char *text_ = nullptr; ///< [size_] what was written, while in memory
    std::size_t size_ = 0;
};

/// The file beside `path` that is written first and then renamed. A killed program can leave it
/// behind; the next one that writes the same path replaces it.
std::string partial_path(const std::string &path);

/// Puts partial_path() in the place of `path`, or removes it. @return whether it could
bool commit_partial(const std::string &path);
