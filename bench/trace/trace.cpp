#include "trace.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "trace_coords.hpp"

namespace {

// Limits of a trace, so that an invalid file is refused before it fills the memory. A trace at all
// limits takes about 8 GiB.
constexpr std::uint64_t trace_bytes_max = std::uint64_t{1} << 30;
constexpr std::uint64_t trace_operations_max = 100'000'000;
constexpr std::uint64_t trace_frames_max = 10'000'000;
constexpr std::uint32_t trace_chunks_max = std::uint32_t{1} << 24; // headers of 256 bytes
// Coordinates in a gather's box. A contender that looks up each of them takes about a second.
constexpr std::uint64_t trace_box_max = std::uint64_t{1} << 24;
constexpr double trace_plane_max = 1e18; // beyond it, products with coordinates are imprecise
constexpr std::uint32_t trace_planes_max = 6;
// Four times the longest valid line, which is a frustum of six planes with all digits.
constexpr std::size_t trace_line_max = 4096;
constexpr std::size_t trace_block_bytes = std::size_t{1} << 20;

/// The syntax of an operation.
struct OperationForm {
    char letter;
    TraceKind kind;
    std::size_t numbers; ///< after the letter; for a frustum, those before its planes
    const char *text;
};

constexpr OperationForm operation_forms[] = {
    {'+', TraceKind::insert, 3, "+ x y z"},
    {'-', TraceKind::remove, 3, "- x y z"},
    {'?', TraceKind::find, 3, "? x y z"},
    {'n', TraceKind::neighbours, 3, "n x y z"},
    {'b', TraceKind::gather, 6, "b x0 y0 z0 x1 y1 z1"},
    {'f', TraceKind::gather_frustum, 10, "f x0 y0 z0 x1 y1 z1 ox oy oz n a b c d ..."},
    {'g', TraceKind::gather_visible, 6, "g x0 y0 z0 x1 y1 z1"},
    {'v', TraceKind::set_visible, 4, "v x y z 0|1"},
};

/// Quotes text of the file for a message: shortened, and without control characters.
std::string quoted(std::string_view text)
{
    constexpr std::size_t shown_max = 60;
    std::string shown(text.substr(0, shown_max));
    for (char &c : shown) {
        c = c < ' ' || c > '~' ? '?' : c;
    }
    return "'" + shown + (text.size() > shown_max ? "...'" : "'");
}

std::string coord_text(TrnCoord coord)
{
    return "(" + std::to_string(coord.x) + ", " + std::to_string(coord.y) + ", " +
           std::to_string(coord.z) + ")";
}

/// @return how many coordinates a box holds; more than trace_box_max if it is too large
std::uint64_t box_volume(const TrnBox &box)
{
    const TrnCoord &min = box.min, &max = box.max;
    std::uint64_t volume = 1;
    for (const std::int64_t edge :
         {std::int64_t{max.x} - min.x + 1, std::int64_t{max.y} - min.y + 1,
          std::int64_t{max.z} - min.z + 1}) {
        // Below 2^24 * 2^32: no overflow, since a box that is too large stays so.
        volume = std::min(volume, trace_box_max + 1) * static_cast<std::uint64_t>(edge);
    }
    return volume;
}

void split_words(std::string_view line, std::vector<std::string_view> &words)
{
    constexpr std::string_view blanks = " \t\r";
    words.clear();
    std::size_t at = line.find_first_not_of(blanks);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
}

/// Reads a word that consists of one number.
template <typename Number> std::errc read_word(std::string_view word, Number &number)
{
    const char *end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    return error != std::errc() ? error : stop == end ? std::errc() : std::errc::invalid_argument;
}

// ---- lines --------------------------------------------------------------------------------------

/// Parses a trace line by line.
class TraceParser {
  public:
    TraceParser(Trace &read, std::string &what) : trace(read), problem(what)
    {
    }
    /// @param line  without its newline
    bool take_line(std::string_view line);
    /// To be called instead of take_line for a line longer than trace_line_max.
    bool refuse_long_line();
    /// To be called at the end of the file.
    bool finish();

  private:
    bool fail(const std::string &what);
    bool take_first_line(std::string_view line);
    bool take_end(std::string_view line);
    bool take_frame_end(std::string_view line);
    bool take_operation(const OperationForm &form, std::string_view line);
    bool take_chunk(const OperationForm &form);
    bool take_box(TrnBox &box);
    bool take_gather(const OperationForm &form);
    bool take_frustum();
    bool check_count(const OperationForm &form, std::size_t numbers, std::string_view line);
    bool read_integer(std::size_t word, std::int32_t &number);
    bool read_coord(std::size_t word, TrnCoord &coord);
    bool read_plane_number(std::size_t word, double &number);
    bool insert_chunk(TrnCoord coord);
    bool remove_chunk(TrnCoord coord);
    bool need_chunk(TrnCoord coord, const char *what);
    void add_single(TraceKind kind, TrnCoord coord, bool is_visible);
    std::uint32_t frame_first_batch() const;
    void end_frame();

    Trace &trace;
    std::string &problem;
    std::uint64_t line_number = 0;
    bool has_ended = false; ///< 'end N' was read
    std::vector<std::string_view> words;
    std::unordered_set<TrnCoord, TraceCoordHash, TraceCoordEqual> there;
};

bool TraceParser::fail(const std::string &what)
{
    problem = trace.name + ", line " + std::to_string(line_number) + ": " + what;
    return false;
}

bool TraceParser::take_first_line(std::string_view line)
{
    if (line.substr(0, 3) == "\xEF\xBB\xBF") {
        line.remove_prefix(3); // a byte order mark, which some editors write
    }
    split_words(line, words);
    if (words.size() != 2 || words[0] != "terrane-trace") {
        return fail("found " + quoted(line) +
                    ", expected 'terrane-trace 1': this is no trace. terrane-viewer --record-trace "
                    "FILE writes one, and docs/trace.md says how a game does.");
    }
    std::uint32_t version = 0;
    const std::errc error = read_word(words[1], version);
    if (error == std::errc::invalid_argument || (error == std::errc() && version == 0)) {
        return fail("found " + quoted(line) + ", expected 'terrane-trace 1'.");
    }
    return version == 1 ||
           fail("format " + quoted(words[1]) +
                " was written by a newer Terrane; this one reads format 1. Replay the trace with "
                "that Terrane, or record it again.");
}

bool TraceParser::take_line(std::string_view line)
{
    line_number++;
    if (line.find('\0') != std::string_view::npos) {
        return fail("found a zero byte, expected text: the file is damaged, or no trace. Copy or "
                    "record it again.");
    }
    if (line_number == 1) {
        return take_first_line(line);
    }
    split_words(line, words);
    if (words.empty() || words[0][0] == '#') {
        return true;
    }
    if (has_ended) {
        return fail("found " + quoted(line) +
                    " after the 'end' line, expected nothing more; are these two traces in one "
                    "file? Replay each from a file of its own.");
    }
    if (words[0] == "end") {
        return take_end(line);
    }
    if (words[0] == ".") {
        return take_frame_end(line);
    }
    for (const OperationForm &form : operation_forms) {
        if (words[0].size() == 1 && words[0][0] == form.letter) {
            return take_operation(form, line);
        }
    }
    return fail("found " + quoted(line) +
                ", expected one of + - ? n b f g v with its numbers, '.', '# comment' or 'end N'; "
                "docs/trace.md lists them.");
}

bool TraceParser::refuse_long_line()
{
    line_number++;
    return fail("the line is longer than " + std::to_string(trace_line_max) +
                " characters, expected one operation a line: the file is damaged, or no trace. "
                "Copy or record it again.");
}

bool TraceParser::take_end(std::string_view line)
{
    std::uint64_t operations = 0;
    if (words.size() != 2 || read_word(words[1], operations) != std::errc()) {
        return fail("found " + quoted(line) + ", expected 'end " +
                    std::to_string(trace.operations) + "', the number of operations.");
    }
    if (operations != trace.operations) {
        return fail("found " + quoted(line) + ", but there are " +
                    std::to_string(trace.operations) +
                    " operations before it: lines were lost or added. Copy or record the trace "
                    "again.");
    }
    has_ended = true;
    return true;
}

bool TraceParser::finish()
{
    if (line_number == 0) {
        line_number = 1;
        return fail("the file is empty, expected 'terrane-trace 1'.");
    }
    if (!has_ended) {
        return fail("the file stops here, expected operations and a last line 'end N': it was cut "
                    "off, or never finished. Copy or record it again.");
    }
    if (trace.batches.size() > frame_first_batch()) {
        end_frame(); // the last frame may have no end line
    }
    return true;
}

std::uint32_t TraceParser::frame_first_batch() const
{
    return trace.frames.empty() ? 0 : trace.frames.back();
}

void TraceParser::end_frame()
{
    trace.frames.push_back(static_cast<std::uint32_t>(trace.batches.size()));
}

bool TraceParser::take_frame_end(std::string_view line)
{
    if (words.size() != 1) {
        return fail("found " + quoted(line) + ", expected '.' alone.");
    }
    if (trace.frames.size() >= trace_frames_max) {
        return fail("this is frame " + std::to_string(trace_frames_max + 1) + ", and at most " +
                    std::to_string(trace_frames_max) + " are read; record less.");
    }
    end_frame();
    return true;
}

// ---- operations ---------------------------------------------------------------------------------

bool TraceParser::take_operation(const OperationForm &form, std::string_view line)
{
    if (trace.operations >= trace_operations_max) {
        return fail("this is operation " + std::to_string(trace_operations_max + 1) +
                    ", and at most " + std::to_string(trace_operations_max) +
                    " are read, so that a trace fits into memory; record less.");
    }
    trace.operations++;
    if (form.kind != TraceKind::gather_frustum && !check_count(form, form.numbers, line)) {
        return false;
    }
    switch (form.kind) {
    case TraceKind::gather:
    case TraceKind::gather_visible:
        return take_gather(form);
    case TraceKind::gather_frustum: {
        std::int32_t planes = 0;
        if (words.size() > form.numbers) {
            if (!read_integer(form.numbers, planes)) {
                return false;
            }
            if (planes < 0 || planes > static_cast<std::int32_t>(trace_planes_max)) {
                return fail("a frustum of " + std::to_string(planes) +
                            " planes, expected 0 to 6; leave out those that matter least.");
            }
        }
        return check_count(form, form.numbers + 4 * static_cast<std::size_t>(planes), line) &&
               take_frustum();
    }
    default:
        return take_chunk(form);
    }
}

bool TraceParser::check_count(const OperationForm &form, std::size_t numbers, std::string_view line)
{
    return words.size() == numbers + 1 ||
           fail("found " + quoted(line) + " with " + std::to_string(words.size() - 1) +
                " numbers, expected " + std::to_string(numbers) + ": '" + form.text + "'.");
}

bool TraceParser::read_integer(std::size_t word, std::int32_t &number)
{
    const std::errc error = read_word(words[word], number);
    if (error == std::errc::result_out_of_range) {
        return fail("found " + quoted(words[word]) +
                    ", expected a number from -2147483648 to 2147483647; does the game write "
                    "voxels instead of chunks?");
    }
    return error == std::errc() ||
           fail("found " + quoted(words[word]) + ", expected a whole number.");
}

bool TraceParser::read_coord(std::size_t word, TrnCoord &coord)
{
    return read_integer(word, coord.x) && read_integer(word + 1, coord.y) &&
           read_integer(word + 2, coord.z);
}

bool TraceParser::read_plane_number(std::size_t word, double &number)
{
    const std::errc error = read_word(words[word], number);
    return (error == std::errc() && std::isfinite(number) &&
            std::fabs(number) <= trace_plane_max) ||
           fail("found " + quoted(words[word]) +
                ", expected a plane's number between -1e18 and 1e18, as printf's %.17g writes it.");
}

bool TraceParser::take_chunk(const OperationForm &form)
{
    TrnCoord coord;
    std::int32_t bit = 0;
    if (!read_coord(1, coord) || (form.kind == TraceKind::set_visible && !read_integer(4, bit))) {
        return false;
    }
    if (bit != 0 && bit != 1) {
        return fail("found " + quoted(words[4]) + ", expected 1 for visible or 0 for invisible.");
    }
    if ((form.kind == TraceKind::insert && !insert_chunk(coord)) ||
        (form.kind == TraceKind::remove && !remove_chunk(coord)) ||
        (form.kind == TraceKind::set_visible && !need_chunk(coord, "becomes visible or not"))) {
        return false;
    }
    add_single(form.kind, coord, bit == 1);
    return true;
}

bool TraceParser::insert_chunk(TrnCoord coord)
{
    if (there.size() >= trace_chunks_max) {
        return fail("more than " + std::to_string(trace_chunks_max) +
                    " chunks at once are not replayed, their headers alone take 4 GiB; record a "
                    "smaller world.");
    }
    if (!there.insert(coord).second) {
        return fail("chunk " + coord_text(coord) +
                    " is inserted, but is there already; expected '-' first. The game must record "
                    "every chunk that goes.");
    }
    trace.box = there.size() == 1 && trace.chunk_max == 0 ? TrnBox{coord, coord} : trace.box;
    TrnBox &box = trace.box;
    box.min = {std::min(box.min.x, coord.x), std::min(box.min.y, coord.y),
               std::min(box.min.z, coord.z)};
    box.max = {std::max(box.max.x, coord.x), std::max(box.max.y, coord.y),
               std::max(box.max.z, coord.z)};
    trace.chunk_max = std::max(trace.chunk_max, static_cast<std::uint32_t>(there.size()));
    return true;
}

bool TraceParser::need_chunk(TrnCoord coord, const char *what)
{
    return there.count(coord) ||
           fail("chunk " + coord_text(coord) + " " + what +
                ", but is not there; expected '+' first. The game must record every chunk that "
                "comes, from an empty world on.");
}

bool TraceParser::remove_chunk(TrnCoord coord)
{
    if (!need_chunk(coord, "is removed")) {
        return false;
    }
    there.erase(coord);
    return true;
}

/// Adds a single operation to the last batch if kind and frame are equal; otherwise starts a batch.
void TraceParser::add_single(TraceKind kind, TrnCoord coord, bool is_visible)
{
    const auto at = static_cast<std::uint32_t>(trace.coords.size());
    trace.coords.push_back(coord);
    if (trace.batches.size() > frame_first_batch()) {
        TraceBatch &last = trace.batches.back();
        if (last.kind == kind && last.is_visible == is_visible) {
            last.count++;
            return;
        }
    }
    trace.batches.push_back({kind, is_visible, at, 1, 0});
}

bool TraceParser::take_box(TrnBox &box)
{
    if (!read_coord(1, box.min) || !read_coord(4, box.max)) {
        return false;
    }
    const std::string found =
        "found a box from " + coord_text(box.min) + " to " + coord_text(box.max);
    if (trn_box_is_empty(box)) {
        return fail(found + ", expected the lowest corner first, then the highest, on every axis.");
    }
    return box_volume(box) <= trace_box_max ||
           fail(found + ", expected a box of at most " + std::to_string(trace_box_max) +
                " chunks; gather less at a time.");
}

bool TraceParser::take_gather(const OperationForm &form)
{
    TrnBox box;
    if (!take_box(box)) {
        return false;
    }
    trace.batches.push_back(
        {form.kind, false, static_cast<std::uint32_t>(trace.boxes.size()), 1, 0});
    trace.boxes.push_back(box);
    return true;
}

bool TraceParser::take_frustum()
{
    TrnBox box;
    TrnFrustum frustum = {};
    constexpr std::size_t first_plane = 11;
    if (!take_box(box) || !read_coord(7, frustum.origin)) {
        return false;
    }
    for (std::size_t i = 0; first_plane + i < words.size(); i++) {
        if (!read_plane_number(first_plane + i, frustum.planes[i / 4][i % 4])) {
            return false;
        }
    }
    frustum.count = static_cast<std::uint32_t>((words.size() - first_plane) / 4);
    trace.batches.push_back({TraceKind::gather_frustum, false,
                             static_cast<std::uint32_t>(trace.boxes.size()), 1,
                             static_cast<std::uint32_t>(trace.frustums.size())});
    trace.boxes.push_back(box);
    trace.frustums.push_back(frustum);
    return true;
}

// ---- the file -----------------------------------------------------------------------------------

struct FileCloser {
    void operator()(std::FILE *file) const
    {
        std::fclose(file);
    }
};

bool unreadable_trace(const std::string &path, int error, std::string &problem)
{
    problem = "Cannot read the trace " + path + ": " + std::strerror(error) +
              ". Name a file that terrane-viewer --record-trace or a game has written.";
    return false;
}

/// Splits blocks of the file into lines.
class TraceLines {
  public:
    TraceLines(const std::string &file, TraceParser &lines, std::string &what)
        : path(file), parser(lines), problem(what)
    {
    }
    bool read(std::FILE *file);

  private:
    bool take_block(std::string_view block);
    bool too_large();

    const std::string &path;
    TraceParser &parser;
    std::string &problem;
    std::string rest; ///< the start of a line that ends in the next block
    std::uint64_t bytes = 0;
};

bool TraceLines::too_large()
{
    problem = "The trace " + path + " is larger than " + std::to_string(trace_bytes_max >> 20) +
              " MiB, and more is not read, so that it fits into memory; record less.";
    return false;
}

bool TraceLines::take_block(std::string_view block)
{
    for (;;) {
        const std::size_t end = block.find('\n');
        const std::string_view part = block.substr(0, end);
        if (rest.size() + part.size() > trace_line_max) {
            return parser.refuse_long_line();
        }
        if (end == std::string_view::npos) {
            rest.append(part);
            return true;
        }
        if (!rest.empty()) {
            rest.append(part);
        }
        if (!parser.take_line(rest.empty() ? part : std::string_view(rest))) {
            return false;
        }
        rest.clear();
        block.remove_prefix(end + 1);
    }
}

bool TraceLines::read(std::FILE *file)
{
    std::vector<char> block(trace_block_bytes);
    errno = 0;
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file)) {
        bytes += got;
        if (bytes > trace_bytes_max) {
            return too_large();
        }
        if (!take_block({block.data(), got})) {
            return false;
        }
    }
    if (std::ferror(file)) {
        return unreadable_trace(path, errno ? errno : EIO, problem);
    }
    return (rest.empty() || parser.take_line(rest)) && parser.finish();
}

bool parse_file(const std::string &path, std::FILE *file, Trace &trace, std::string &problem)
{
    trace.name = path;
    TraceParser parser(trace, problem);
    return TraceLines(path, parser, problem).read(file);
}

} // namespace

const char *trace_kind_name(TraceKind kind)
{
    static constexpr const char *names[trace_kind_count] = {
        "insert",       "remove",           "find",           "six neighbours",
        "gather a box", "gather a frustum", "gather visible", "set visible"};
    return names[static_cast<int>(kind)];
}

bool read_trace(const std::string &path, Trace &trace, std::string &problem)
{
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        return unreadable_trace(path, errno, problem);
    }
    try {
        Trace read;
        if (!parse_file(path, file.get(), read, problem)) {
            return false;
        }
        trace = std::move(read);
        return true;
    } catch (const std::bad_alloc &) {
        problem = "Out of memory for the trace " + path + "; record less.";
        return false;
    }
}
