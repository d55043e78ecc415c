/// Traces as text, for the tests of reading and of replaying them.
#pragma once

#include "folder.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include <cmocka.h>
}

#include "trace/trace.hpp"

inline std::string coord_words(TrnCoord coord)
{
    return " " + std::to_string(coord.x) + " " + std::to_string(coord.y) + " " +
           std::to_string(coord.z);
}

inline std::string box_words(TrnBox box)
{
    return coord_words(box.min) + coord_words(box.max);
}

/// A file in a temporary folder, removed with this object.
class TestFile {
  public:
    TestFile() : path_(folder_.path + "/a.trace")
    {
        write("");
    }
    const char *path() const
    {
        return path_.c_str();
    }
    void write(const std::string &bytes) const
    {
        std::FILE *file = std::fopen(path(), "wb");
        assert_non_null(file);
        assert_int_equal(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
        assert_int_equal(std::fclose(file), 0);
    }

  private:
    Folder folder_;
    std::string path_;
};

inline Trace parse(const std::string &text)
{
    TestFile file;
    Trace trace;
    std::string problem;
    file.write(text);
    if (!read_trace(file.path(), trace, problem)) {
        fail_msg("%s", problem.c_str());
    }
    return trace;
}

/// Writes a trace as a game would: other bytes than those read, but the same meaning.
inline std::string write_back(const Trace &trace)
{
    static const char letters[] = "+-?nbfgv";
    std::string text = "terrane-trace 1\n";
    std::uint32_t batch = 0;
    for (const std::uint32_t end : trace.frames) {
        for (; batch < end; batch++) {
            const TraceBatch &at = trace.batches[batch];
            const char letter = letters[static_cast<int>(at.kind)];
            for (std::uint32_t i = at.first; i < at.first + at.count; i++) {
                const bool is_list = std::strchr("bfg", letter);
                text += letter;
                text += is_list ? box_words(trace.boxes[i]) : coord_words(trace.coords[i]);
                text += letter == 'v' ? (at.is_visible ? " 1" : " 0") : "";
                if (letter == 'f') {
                    const TrnFrustum &frustum = trace.frustums[at.frustum];
                    text += coord_words(frustum.origin) + " " + std::to_string(frustum.count);
                    for (std::uint32_t number = 0; number < 4 * frustum.count; number++) {
                        char word[40];
                        std::snprintf(word, sizeof word, " %.17g",
                                      frustum.planes[number / 4][number % 4]);
                        text += word;
                    }
                }
                text += "\n";
            }
        }
        text += ".\n";
    }
    return text + "end " + std::to_string(trace.operations) + "\n";
}

/// A trace with each kind of operation.
const char small_trace[] =
    "terrane-trace 1\n"
    "+ 0 0 0\n"
    "+ 1 0 0\n"
    "+ -2147483648 2147483647 -5\n"
    "? 0 0 0\n"
    "? 7 7 7\n"
    "n 0 0 0\n"
    ".\n"
    "v 1 0 0 1\n"
    "v 0 0 0 1\n"
    "v 0 0 0 0\n"
    "g -1 -1 -1 1 1 1\n"
    "b -1 -1 -1 1 1 1\n"
    "f -1 -1 -1 1 1 1 0 0 0 2 1 0 0 -1.5 0.10000000000000001 -2 2.9999999999999999e-07 4\n"
    ".\n"
    ".\n"
    "- 1 0 0\n"
    "+ 1 0 0\n"
    "g -1 -1 -1 1 1 1\n"
    "f -1 -1 -1 1 1 1 0 0 0 0\n"
    "b -9 -9 -9 9 9 9\n"
    "n 0 0 0\n"
    "? 1 0 0\n"
    "- 0 0 0\n"
    "? 0 0 0\n"
    "b -9 -9 -9 9 9 9\n"
    ".\n"
    "end 22\n";
