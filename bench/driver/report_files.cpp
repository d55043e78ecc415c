#include <cmath>
#include <cstdio>

#include "driver/output_file.hpp"
#include "driver/report.hpp"

namespace {

/// A number as text, or `otherwise` if there is none.
std::string number_or(bool has_number, double number, const char *otherwise)
{
    return has_number ? std::to_string(number) : otherwise;
}

/// The spread as text, or `otherwise` for a single sample.
std::string spread_text(const Entry &entry, const Spread &spread, const char *otherwise)
{
    return number_or(entry.times.size() > 1, spread.relative, otherwise);
}

// ---- CSV ---------------------------------------------------------------------------------------

/// A quoted field, with the quotes inside it doubled.
std::string csv_text(const std::string &text)
{
    std::string quoted = "\"";
    for (char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

void write_csv_entry(const Report &report, const Entry &entry, std::FILE *file)
{
    const bool is_there = !entry.times.empty();
    const Spread spread = is_there ? spread_of(entry.times) : Spread{0, 0, 0};
    const double ratio = ratio_to_baseline(report, entry);
    std::fprintf(file, "entry,%s,%s,%s,%s,%zu,%s,%s,%s,%zu,%s,,,%s,%s\n",
                 csv_text(entry.question).c_str(), csv_text(entry.world).c_str(),
                 csv_text(entry.contender).c_str(), csv_text(unit_of(report, entry)).c_str(),
                 entry.count, number_or(is_there, spread.median, "").c_str(),
                 number_or(is_there, spread.min, "").c_str(),
                 number_or(is_there, spread.max, "").c_str(), entry.times.size(),
                 number_or(std::isfinite(ratio), ratio, "").c_str(), csv_text(entry.remark).c_str(),
                 spread_text(entry, spread, "").c_str());
}

void write_csv(const Report &report, std::FILE *file)
{
    std::fprintf(file, "row,question,world,contender,unit,count,median,min,max,repetitions,ratio,"
                       "demanded,verdict,remark,spread\n");
    for (const auto &[name, text] : surroundings(report)) {
        std::fprintf(file, "environment,%s,%s,,,,,,,,,,,,\n", name.c_str(), csv_text(text).c_str());
    }
    for (const Entry &entry : report.entries) {
        write_csv_entry(report, entry, file);
    }
    for (const Target &target : report.targets) {
        std::fprintf(file, "target,%s,%s,,%s,,%s,,,,,%s,%s,,%s\n", csv_text(target.what).c_str(),
                     csv_text(target.world).c_str(), csv_text(target.unit).c_str(),
                     number_or(target.is_measured(), target.figure.value, "").c_str(),
                     number_or(target.bound != Target::none, target.demanded, "").c_str(),
                     target.verdict(),
                     number_or(target.figure.spread > 0, target.figure.spread, "").c_str());
    }
}

// ---- JSON --------------------------------------------------------------------------------------

/// The length in bytes of the UTF-8 character at `at`; 0 if it is invalid.
std::size_t utf8_length(const std::string &text, std::size_t at)
{
    const auto byte = [&text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned first = byte(at), second = byte(at + 1);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first < 0xC2    ? 0
                               : first < 0xE0  ? 2
                               : first < 0xF0  ? 3
                               : first <= 0xF4 ? 4
                                               : 0;
    for (std::size_t i = 1; i < length; i++) {
        if ((byte(at + i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    // Rejects overlong encodings, UTF-16 surrogates, and values beyond Unicode.
    const bool is_allowed = !(first == 0xE0 && second < 0xA0) &&
                            !(first == 0xED && second > 0x9F) &&
                            !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
    return is_allowed ? length : 0;
}

/// A JSON string. File names and texts of foreign libraries may contain any bytes; bytes that are
/// invalid UTF-8 become '?'.
std::string json_text(const std::string &text)
{
    std::string quoted = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        const char c = text[at];
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
            quoted += escaped;
        } else {
            quoted += length ? text.substr(at, length) : "?";
        }
        at += length ? length : 1;
    }
    return quoted + "\"";
}

void write_json_entry(const Report &report, const Entry &entry, std::FILE *file)
{
    const bool is_there = !entry.times.empty();
    const Spread spread = is_there ? spread_of(entry.times) : Spread{0, 0, 0};
    const double ratio = ratio_to_baseline(report, entry);
    std::fprintf(
        file,
        "    {\"question\": %s, \"world\": %s, \"contender\": %s, \"unit\": %s, "
        "\"count\": %zu, \"median\": %s, \"min\": %s, \"max\": %s, \"repetitions\": %zu, "
        "\"spread\": %s, \"ratio\": %s, \"is_baseline\": %s, \"is_floor\": %s, \"remark\": %s}",
        json_text(entry.question).c_str(), json_text(entry.world).c_str(),
        json_text(entry.contender).c_str(), json_text(unit_of(report, entry)).c_str(), entry.count,
        number_or(is_there, spread.median, "null").c_str(),
        number_or(is_there, spread.min, "null").c_str(),
        number_or(is_there, spread.max, "null").c_str(), entry.times.size(),
        spread_text(entry, spread, "null").c_str(),
        number_or(std::isfinite(ratio), ratio, "null").c_str(),
        entry.is_baseline ? "true" : "false", entry.is_floor ? "true" : "false",
        json_text(entry.remark).c_str());
}

void write_json_target(const Target &target, std::FILE *file)
{
    std::fprintf(file,
                 "    {\"world\": %s, \"what\": %s, \"figure\": %s, \"unit\": %s, "
                 "\"demanded\": %s, \"spread\": %s, \"verdict\": \"%s\"}",
                 json_text(target.world).c_str(), json_text(target.what).c_str(),
                 number_or(target.is_measured(), target.figure.value, "null").c_str(),
                 json_text(target.unit).c_str(),
                 number_or(target.bound != Target::none, target.demanded, "null").c_str(),
                 number_or(target.figure.spread > 0, target.figure.spread, "null").c_str(),
                 target.verdict());
}

void write_json(const Report &report, std::FILE *file)
{
    std::fprintf(file, "{\n  \"schema\": 1,\n  \"topic\": %s,\n  \"question\": %s,\n",
                 json_text(report.topic).c_str(), json_text(report.question).c_str());
    for (const auto &[name, text] : surroundings(report)) {
        std::fprintf(file, "  \"%s\": %s,\n", name.c_str(), json_text(text).c_str());
    }
    std::fprintf(file, "  \"baseline\": %s,\n  \"results\": [", json_text(report.baseline).c_str());
    const char *separator = "\n";
    for (const Entry &entry : report.entries) {
        std::fputs(separator, file);
        write_json_entry(report, entry, file);
        separator = ",\n";
    }
    std::fprintf(file, "\n  ],\n  \"targets\": [");
    separator = "\n";
    for (const Target &target : report.targets) {
        std::fputs(separator, file);
        write_json_target(target, file);
        separator = ",\n";
    }
    std::fprintf(file, "\n  ]\n}\n");
}

bool write_table(const Table &table, const std::string &folder)
{
    OutputFile file;
    return file.open(folder + "/" + table.file + ".csv") &&
           std::fputs(table.text.c_str(), file.stream()) >= 0 && file.commit();
}

} // namespace

bool write_report(const Report &report, const BenchOptions &options)
{
    bool all = true;
    if (options.csv) {
        write_csv(report, options.csv->stream());
        all &= options.csv->commit();
    }
    if (options.json) {
        write_json(report, options.json->stream());
        all &= options.json->commit();
    }
    if (options.html) {
        write_html(report, options.html->stream());
        all &= options.html->commit();
    }
    if (!options.plot_folder.empty()) {
        all &= write_plots(report.plots, options.plot_folder);
        for (const Table &table : report.tables) {
            all &= write_table(table, options.plot_folder);
        }
    }
    return all;
}
