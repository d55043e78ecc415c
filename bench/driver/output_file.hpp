/// A file for figures. The bench tests before any measurement whether it can be written, and
/// replaces it as a whole at the end.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "driver/text_buffer.hpp"

/// Blocks SIGINT and SIGTERM during its lifetime, so that no temporary file remains.
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

    /// "-" is standard output; all other output then goes to standard error. A pipe or a device is
    /// opened at once, and opening a pipe waits for its reader. For a regular file, the text is
    /// kept in memory until commit(). Prints errors to standard error.
    bool open(const std::string &path);

    bool is_open() const
    {
        return stream_ != nullptr;
    }
    std::FILE *stream() const
    {
        return stream_;
    }

    /// Writes the file. Prints errors to standard error.
    bool commit();

  private:
    bool complain(int error) const;

    std::string path_;
    std::FILE *stream_ = nullptr;
    std::unique_ptr<TextBuffer> buffer_; ///< keeps the text until commit(); NULL: written at once
};
