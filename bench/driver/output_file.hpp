/// A file that figures are written to: tested before anything is measured, and replaced as a whole
/// once everything is written.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "driver/text_buffer.hpp"

/// Holds SIGINT and SIGTERM back while it lives, so that a temporary file never outlives its
/// writer.
class SignalsHeld {
  public:
    SignalsHeld();
    ~SignalsHeld();
    SignalsHeld(const SignalsHeld &) = delete;
    SignalsHeld &operator=(const SignalsHeld &) = delete;
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
    std::unique_ptr<TextBuffer> buffer_; ///< keeps the text until commit(); NULL: none does
};

/// The file in the folder of `path` that is written first and then renamed. A killed program can
/// leave it behind; the next one that writes the same path replaces it.
std::string partial_path(const std::string &path);

/// Puts partial_path() in the place of `path`, or removes it. @return whether it could
bool commit_partial(const std::string &path);
