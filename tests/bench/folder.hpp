/// A temporary folder of a test, removed with this object. Include it behind cmocka.
#pragma once

#include <cstdlib>
#include <string>

#include <dirent.h>
#include <unistd.h>

class Folder {
  public:
    Folder()
    {
        char name[] = "/tmp/terrane_bench_XXXXXX";
        assert_non_null(mkdtemp(name));
        path = name;
    }
    ~Folder()
    {
        (void)!system(("rm -rf '" + path + "'").c_str());
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    /// How many files are in it, without hidden ones.
    int files() const
    {
        int count = 0;
        DIR *const folder = opendir(path.c_str());
        assert_non_null(folder);
        while (const dirent *const entry = readdir(folder)) {
            count += entry->d_name[0] != '.';
        }
        closedir(folder);
        return count;
    }
    std::string path;
};
