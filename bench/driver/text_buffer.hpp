/// A stream whose text is read back when it is complete: in memory, or on Windows, whose C library
/// has no such streams, in a temporary file that Windows removes with the program.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

class TextBuffer {
  public:
    TextBuffer(); ///< stream() is NULL if it cannot be had
    ~TextBuffer();
    TextBuffer(const TextBuffer &) = delete;
    TextBuffer &operator=(const TextBuffer &) = delete;

    std::FILE *stream() const
    {
        return stream_;
    }
    /// Closes the stream and moves its text into `text`. @return false if not all could be kept
    bool take(std::string &text);

  private:
    struct Memory;
    std::unique_ptr<Memory> memory;
    std::FILE *stream_ = nullptr;
};
