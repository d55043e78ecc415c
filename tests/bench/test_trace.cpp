/// Recorded operation traces: what is read, and what is refused and at which line.
#include "trace_text.hpp"

#include "trace/trace_coords.hpp"

#include <algorithm>
#include <cstring>

#include <sys/stat.h>

namespace {

void what_is_written_is_read(void **)
{
    const Trace trace = parse(small_trace);
    assert_string_equal(write_back(trace).c_str(), small_trace);
    assert_int_equal(trace.operations, 22);
    assert_int_equal(trace.chunk_max, 3);
    assert_int_equal(trace.frames.size(), 4);
    assert_string_equal(box_words(trace.box).c_str(), " -2147483648 0 -5 1 2147483647 0");
    assert_true(trace.frustums[0].planes[1][2] == 3e-07);
}

void equal_operations_of_a_frame_are_one_batch(void **)
{
    const Trace trace = parse(small_trace);
    static const std::uint32_t expected[] = {3, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(trace.batches.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); i++) {
        assert_int_equal(trace.batches[i].count, expected[i]);
    }
    const Trace split = parse("terrane-trace 1\n? 0 0 0\n.\n? 0 0 0\n? 0 0 0\nend 3\n");
    assert_int_equal(split.batches.size(), 2);
    assert_int_equal(split.frames.size(), 2);
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
    return text;
}

void line_ends_blanks_and_comments_do_not_matter(void **)
{
    const std::string text = small_trace;
    const std::string cases[] = {
        replaced(text, "\n", "\r\n"),
        replaced(text, "\n", " \t\n"),
        replaced(text, "\n", "\n\n \n"),
        replaced(text, "\n", "\n# a note\n#\n\t # another\n"),
        replaced(text, " ", "\t  "),
        "\xEF\xBB\xBF" + text,
        text.substr(0, text.size() - 1),
        replaced(text, ".\nend", "end"), // the last frame may stay open
        replaced(text, "\n", "\n" + std::string(4000, ' ') + "\n"),
    };
    for (const std::string &variant : cases) {
        assert_string_equal(write_back(parse(variant)).c_str(), small_trace);
    }
    assert_int_equal(parse("terrane-trace 1\nend 0\n").frames.size(), 0);
    assert_int_equal(parse("terrane-trace 1\n.\n.\nend 0").frames.size(), 2);
}

/// The file is read in blocks, which may end anywhere in a line.
void a_trace_of_many_blocks_is_read_whole(void **)
{
    std::string text = "terrane-trace 1\n";
    const int count = 300000;
    for (int i = 0; i < count; i++) {
        text += "?" + coord_words({i, -i, INT32_MIN + i}) + "\n";
    }
    const Trace trace = parse(text + "end " + std::to_string(count));
    assert_true(text.size() > (std::size_t{5} << 20));
    assert_int_equal(trace.coords.size(), count);
    for (int i = 0; i < count; i++) {
        assert_true(
            trn_coord_equal(trace.coords[static_cast<std::size_t>(i)], {i, -i, INT32_MIN + i}));
    }
}

bool names_line(const std::string &problem, const std::string &path, std::size_t line)
{
    const std::string start = path + ", line " + std::to_string(line) + ": ";
    return problem.compare(0, start.size(), start) == 0;
}

void every_cut_is_refused_with_its_line(void **)
{
    const std::string text = small_trace;
    TestFile file;
    for (std::size_t bytes = 0; bytes < text.size(); bytes++) {
        Trace trace;
        trace.operations = 99;
        std::string problem;
        const std::string cut = text.substr(0, bytes);
        file.write(cut);
        const bool good = read_trace(file.path(), trace, problem);
        if (bytes == text.size() - 1) { // only the last newline is missing
            assert_true(good);
            continue;
        }
        const auto newlines = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
        const bool in_line = !cut.empty() && cut.back() != '\n';
        const std::size_t line = std::max<std::size_t>(newlines + (in_line ? 1 : 0), 1);
        if (good || !names_line(problem, file.path(), line)) {
            fail_msg("cut at %zu: %s", bytes, good ? "accepted" : problem.c_str());
        }
        assert_int_equal(trace.operations, 99); // untouched
    }
}

void damages_are_named_with_their_line(void **)
{
    // What follows the first line, the line with the error, and words of its message.
    static const struct {
        const char *text;
        std::size_t line;
        const char *words;
    } cases[] = {
        {"+ 0 0 0\n+ 0 0 0\nend 2\n", 3, "(0, 0, 0) is inserted, but is there already"},
        {"- 1 2 3\nend 1\n", 2, "(1, 2, 3) is removed, but is not there"},
        {"+ 1 2 3\n- 1 2 3\n- 1 2 3\nend 3\n", 4, "is not there"},
        {"v 1 2 3 1\nend 1\n", 2, "(1, 2, 3) becomes visible or not, but is not there"},
        {"+ 1 2 3\nv 1 2 3 2\nend 2\n", 3, "'2', expected 1 for visible or 0"},
        {"+ 1 2\nend 1\n", 2, "with 2 numbers, expected 3: '+ x y z'"},
        {"+ 1 2 3 4\nend 1\n", 2, "with 4 numbers, expected 3"},
        {"\n\nb 1 2 3\nend 1\n", 4, "with 3 numbers, expected 6"},
        {"? 1 2 z\nend 1\n", 2, "'z', expected a whole number"},
        {"? 1 2 3.0\nend 1\n", 2, "'3.0', expected a whole number"},
        {"? 1 2 2147483648\nend 1\n", 2, "'2147483648', expected a number from -2147483648"},
        {"? 1 -99999999999999999999 2\nend 1\n", 2, "voxels instead of chunks"},
        {"b 0 0 1 9 9 0\nend 1\n", 2, "a box from (0, 0, 1) to (9, 9, 0), expected the lowest"},
        {"g 1 0 0 0 9 9\nend 1\n", 2, "expected the lowest corner first"},
        {"b -100000 -100000 -100000 100000 100000 100000\nend 1\n", 2,
         "found a box from (-100000, -100000, -100000) to (100000, 100000, 100000), expected a box "
         "of at most 16777216 chunks; gather less at a time."},
        {"\ng 0 0 0 255 256 255\nend 1\n", 3, "expected a box of at most 16777216 chunks"},
        {"f -2147483648 -2147483648 -2147483648 2147483647 2147483647 2147483647 0 0 0 0\nend 1\n",
         2, "expected a box of at most 16777216 chunks"},
        {"f 0 0 0 1 1 1 0 0 0 7\nend 1\n", 2, "7 planes, expected 0 to 6"},
        {"f 0 0 0 1 1 1 0 0 0 -1\nend 1\n", 2, "-1 planes, expected 0 to 6"},
        {"f 0 0 0 1 1 1 0 0 0 1 1 2 3\nend 1\n", 2, "with 13 numbers, expected 14"},
        {"f 0 0 0 1 1 1 0 0\nend 1\n", 2, "with 8 numbers, expected 10"},
        {"f 0 0 0 1 1 1 0 0 0 1 1 nan 3 4\nend 1\n", 2, "'nan', expected a plane's number"},
        {"f 0 0 0 1 1 1 0 0 0 1 1 2 inf 4\nend 1\n", 2, "'inf'"},
        {"f 0 0 0 1 1 1 0 0 0 1 1 2 1e300 4\nend 1\n", 2, "'1e300'"},
        {"f 0 0 0 1 1 1 0 0 0 1 1 2 1,5 4\nend 1\n", 2, "'1,5'"},
        {"f 1 0 0 0 1 1 0 0 0 0\nend 1\n", 2, "expected the lowest corner first"},
        {"x 1 2 3\nend 1\n", 2, "'x 1 2 3', expected one of + - ? n b f g v"},
        {"++ 1 2 3\nend 1\n", 2, "expected one of"},
        {"+1 2 3\nend 1\n", 2, "expected one of"},
        {". 1\nend 0\n", 2, "expected '.' alone"},
        {"? 0 0 0\nend 2\n", 3, "'end 2', but there are 1 operations before it"},
        {"? 0 0 0\nend\n", 3, "'end', expected 'end 1'"},
        {"? 0 0 0\nend -1\n", 3, "'end -1', expected 'end 1'"},
        {"? 0 0 0\nend 1 1\n", 3, "'end 1 1', expected 'end 1'"},
        {"end 0\n? 0 0 0\n", 3, "after the 'end' line"},
        {"end 0\nterrane-trace 1\nend 0\n", 3, "two traces in one file"},
        {"? 0 0 0\n", 2, "was cut off, or never finished"},
        {"? 0 0 0\n.\n\n# more", 5, "was cut off, or never finished"},
        {"\x1b[2J\x07\nend 0\n", 2, "'?[2J?'"},
    };
    TestFile file;
    for (const auto &damage : cases) {
        Trace trace;
        std::string problem;
        file.write(std::string("terrane-trace 1\n") + damage.text);
        const bool good = read_trace(file.path(), trace, problem);
        if (good || !names_line(problem, file.path(), damage.line) ||
            problem.find(damage.words) == std::string::npos) {
            fail_msg("'%s': %s", damage.text, good ? "accepted" : problem.c_str());
        }
    }
}

void the_largest_box_is_read(void **)
{
    const Trace trace = parse("terrane-trace 1\nb -128 -128 -128 127 127 127\n"
                              "g -2147483648 0 0 -2130706433 0 0\nend 2\n");
    assert_int_equal(trace.boxes.size(), 2);
}

/// Otherwise a file could be written whose chunks all fall into one bucket.
void each_container_hashes_coordinates_by_a_key_of_its_own(void **)
{
    const TraceCoordHash one, other, copy = one;
    assert_true(one(TrnCoord{1, 2, 3}) != other(TrnCoord{1, 2, 3}));
    assert_true(one(TrnCoord{1, 2, 3}) == copy(TrnCoord{1, 2, 3}));
    assert_true(one(TrnCoord{1, 2, 3}) != one(TrnCoord{2, 1, 3}));
}

void the_first_line_says_what_it_is_and_of_when(void **)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "the file is empty"},
        {"\n", "this is no trace"},
        {"+ 0 0 0\n", "this is no trace"},
        {"terrane-trace\nend 0\n", "this is no trace"},
        {"terrane-flight 1\n", "this is no trace"},
        {"# note\nterrane-trace 1\nend 0\n", "this is no trace"},
        {"terrane-trace 0\nend 0\n", "expected 'terrane-trace 1'"},
        {"terrane-trace one\nend 0\n", "expected 'terrane-trace 1'"},
        {"terrane-trace -1\nend 0\n", "expected 'terrane-trace 1'"},
        {"terrane-trace 2\nend 0\n", "written by a newer Terrane"},
        {"terrane-trace 99999999999999\nend 0\n", "written by a newer Terrane"},
    };
    TestFile file;
    for (const auto &first : cases) {
        Trace trace;
        std::string problem;
        file.write(first.text);
        const bool good = read_trace(file.path(), trace, problem);
        if (good || !names_line(problem, file.path(), 1) ||
            problem.find(first.words) == std::string::npos) {
            fail_msg("'%s': %s", first.text, good ? "accepted" : problem.c_str());
        }
    }
}

void zero_bytes_and_endless_lines_are_refused(void **)
{
    TestFile file;
    Trace trace;
    std::string problem;
    file.write(std::string("terrane-trace 1\n? 0 0 0\n") + '\0' + "\nend 1\n");
    assert_false(read_trace(file.path(), trace, problem));
    assert_true(names_line(problem, file.path(), 3));
    assert_true(problem.find("zero byte") != std::string::npos);
    // Also in a comment, and across several blocks of the file.
    for (const std::size_t length : {std::size_t{5000}, std::size_t{3} << 20}) {
        file.write("terrane-trace 1\n#" + std::string(length, 'x') + "\nend 0\n");
        assert_false(read_trace(file.path(), trace, problem));
        assert_true(names_line(problem, file.path(), 2));
        assert_true(problem.find("longer than 4096") != std::string::npos);
    }
}

/// Reads a trace from a command's output. @return the problem; empty if there was none
std::string problem_of_output(const char *command)
{
    std::FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    Trace trace;
    std::string problem;
    const std::string path = "/dev/fd/" + std::to_string(fileno(pipe));
    const bool good = read_trace(path, trace, problem);
    pclose(pipe);
    return good ? "" : problem;
}

void endless_traces_are_refused(void **)
{
    const std::string frames = problem_of_output("echo terrane-trace 1; exec yes .");
    assert_true(frames.find("line 10000002: this is frame 10000001") != std::string::npos);
    const std::string bytes = problem_of_output(
        "echo terrane-trace 1; exec yes \"# $(head -c 4000 /dev/zero | tr '\\0' x)\"");
    assert_true(bytes.find("larger than 1024 MiB") != std::string::npos);
}

void what_cannot_be_read_is_told_with_its_reason(void **)
{
    Trace trace;
    std::string problem;
    assert_false(read_trace("/tmp", trace, problem));
    assert_true(problem.find("/tmp: Is a directory. Name a file") != std::string::npos);
    assert_false(read_trace("/tmp/no/such/file.trace", trace, problem));
    assert_true(problem.find("No such file or directory") != std::string::npos);
    assert_false(read_trace("", trace, problem));
    TestFile file;
    assert_int_equal(chmod(file.path(), 0), 0);
    if (access(file.path(), R_OK) != 0) { // root may read anything
        assert_false(read_trace(file.path(), trace, problem));
        assert_true(problem.find("Permission denied") != std::string::npos);
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(equal_operations_of_a_frame_are_one_batch),
        cmocka_unit_test(line_ends_blanks_and_comments_do_not_matter),
        cmocka_unit_test(a_trace_of_many_blocks_is_read_whole),
        cmocka_unit_test(every_cut_is_refused_with_its_line),
        cmocka_unit_test(damages_are_named_with_their_line),
        cmocka_unit_test(the_largest_box_is_read),
        cmocka_unit_test(each_container_hashes_coordinates_by_a_key_of_its_own),
        cmocka_unit_test(the_first_line_says_what_it_is_and_of_when),
        cmocka_unit_test(zero_bytes_and_endless_lines_are_refused),
        cmocka_unit_test(endless_traces_are_refused),
        cmocka_unit_test(what_cannot_be_read_is_told_with_its_reason),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
