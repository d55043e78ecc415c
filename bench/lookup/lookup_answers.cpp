#include "lookup_answers.hpp"

#include <algorithm>

#include "contenders/defaults.h"
#include "driver/topic.hpp"

namespace {

/// Spare answers after the last valid one, so that a contender that writes too far is detected and
/// does no harm.
const std::size_t slack = 1024;
/// The byte that fills answers before a check. It gives neither a valid number nor a valid address.
const unsigned char no_answer = 0xA5;

} // namespace

std::string text_of(TrnCoord coord)
{
    return "(" + std::to_string(coord.x) + ", " + std::to_string(coord.y) + ", " +
           std::to_string(coord.z) + ")";
}

LookupAnswers::LookupAnswers(const Contender &judged, const LookupWorld &filled)
    : contender(judged), world(filled),
      bytes((std::max<std::size_t>(filled.given.chunk_count, filled.hits.size() * TRN_FACE_COUNT) +
             slack) *
            sizeof(void *))
{
}

std::uint32_t LookupAnswers::number(std::size_t i) const
{
    return contender_answer(&contender, &world.given, bytes.data(), i);
}

std::string LookupAnswers::name_of(std::uint32_t number) const
{
    return number == CONTENDER_NUMBER_NONE    ? "nothing"
           : number == CONTENDER_NUMBER_WRONG ? "something that is no chunk"
                                              : "the chunk " + text_of(world.headers[number].coord);
}

void LookupAnswers::forget()
{
    std::fill(bytes.begin(), bytes.end(), no_answer);
}

void LookupAnswers::require_list(const std::vector<std::uint32_t> &expected) const
{
    const std::string counts = "; it reports " + std::to_string(count) + " chunks, expected " +
                               std::to_string(expected.size());
    std::vector<bool> is_missing(world.given.chunk_count);
    for (const std::uint32_t wanted : expected) {
        is_missing[wanted] = true;
    }
    for (std::size_t i = 0; i < std::min(count, list_capacity()); i++) {
        const std::uint32_t given = number(i);
        if (given >= CONTENDER_NUMBER_WRONG || !is_missing[given]) {
            throw bench::Wrong{"it lists " + name_of(given) + ", which does not belong there" +
                               counts};
        }
        is_missing[given] = false;
    }
    const auto left_out = std::find_if(expected.begin(), expected.end(),
                                       [&](std::uint32_t wanted) { return is_missing[wanted]; });
    if (left_out != expected.end()) {
        throw bench::Wrong{"it leaves out " + name_of(*left_out) + counts};
    }
    if (count != expected.size()) {
        throw bench::Wrong{"its count is wrong" + counts};
    }
}

void LookupAnswers::require_each(const std::vector<TrnCoord> &asked, std::size_t per_coord) const
{
    for (std::size_t i = 0; i < count; i++) {
        const TrnCoord coord =
            per_coord == 1
                ? asked[i]
                : trn_coord_neighbour(asked[i / per_coord], static_cast<TrnFace>(i % per_coord));
        const std::uint32_t expected = world.number_at(coord), given = number(i);
        if (given != expected) {
            throw bench::Wrong{"at " + text_of(coord) + " it finds " + name_of(given) +
                               "; expected " + name_of(expected)};
        }
    }
}

void LookupAnswers::require_within(std::size_t capacity) const
{
    const std::size_t each =
        contender.answers == CONTENDER_POINTERS ? sizeof(void *) : sizeof(std::uint32_t);
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(capacity * each);
    if (!std::all_of(first, bytes.end(), [](unsigned char byte) { return byte == no_answer; })) {
        throw bench::Wrong{"it writes behind the end of the list"};
    }
}

std::uint64_t LookupAnswers::digest(bool is_list) const
{
    const std::size_t written = is_list ? std::min(count, list_capacity()) : count;
    std::uint64_t sum = count;
    for (std::size_t i = 0; i < written; i++) {
        std::uint64_t bits = number(i) + (is_list ? 0 : static_cast<std::uint64_t>(i) << 32);
        bits = (bits ^ (bits >> 31)) * 0xBF58476D1CE4E5B9u;
        sum += bits ^ (bits >> 29);
    }
    return sum;
}
