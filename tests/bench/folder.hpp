/// Files of a test: a temporary folder, and what a file contains. Include it before
/// cmocka, whose macro `fail` the streams of the C++ library do not survive.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

/// A temporary folder, removed with this object.
class Folder {
  public:
    Folder()
    {
        char name[] = "/tmp/terrane_bench_XXXXXX";
        if (!mkdtemp(name)) {
            std::abort();
        }
        path = name;
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    /// How many files are in it, without hidden ones.
    int files() const
    {
        int count = 0;
        for (const auto &entry : std::filesystem::directory_iterator(path)) {
            count += entry.path().filename().string()[0] != '.';
        }
        return count;
    }
    std::string path;
};

/// Returns the text of a file; none if it cannot be read.
inline std::string content_of(const std::string &path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}
