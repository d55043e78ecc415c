/// A FILE that collects text, which the caller takes at the end. The text is kept in memory; on
/// Windows, which has no memory streams, in a temporary file that is deleted at exit.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

class TextBuffer {
  public:
    TextBuffer(); ///< on failure, stream() is NULL
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
