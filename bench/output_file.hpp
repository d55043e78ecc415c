/// A file that figures go to: opened before anything is timed, and in its place only when it has
/// been written whole.
#pragma once

#include <cstdio>
#include <string>

class OutputFile {
  public:
    OutputFile() = default;
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    /// What was not committed leaves nothing behind.
    ~OutputFile();

    /// "-" is standard output, from which everything else then goes to standard error. What is
    /// there and no regular file (a pipe, /dev/null) is written to; anything else through a
    /// temporary neighbour. Says on standard error what is wrong.
    bool open(const std::string &path);

    bool is_open() const
    {
        return stream_ != nullptr;
    }
    std::FILE *stream() const
    {
        return stream_;
    }
    /// What to hand to a program that writes the file by itself; empty for standard output.
    const std::string &written_path() const
    {
        return temporary_.empty() ? path_ : temporary_;
    }

    /// Puts the file in its place. Says on standard error what is wrong.
    bool commit();

  private:
    bool open_temporary();
    bool complain(int error) const;

    std::string path_, temporary_;
    std::FILE *stream_ = nullptr;
};
