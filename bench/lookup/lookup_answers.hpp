/// The last answer of a contender, and its checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lookup_world.hpp"

class LookupAnswers {
  public:
    /// Borrows both arguments.
    LookupAnswers(const Contender &judged, const LookupWorld &filled);

    /// The buffer for answers: `list_capacity` answers of a list, or six for each chunk of a
    /// question.
    void *out()
    {
        return bytes.data();
    }
    std::size_t list_capacity() const
    {
        return world.given.chunk_count;
    }
    std::size_t count = 0; ///< how many answers the contender says it gave

    /// Overwrites all answers, so that old answers cannot pass a check.
    void forget();

    /// @param expected  the chunks' numbers
    /// @throws bench::Wrong, like all `require` functions
    void require_list(const std::vector<std::uint32_t> &expected) const;
    /// @param per_coord  answers for each coordinate: 1 for a find, 6 for neighbours
    void require_each(const std::vector<TrnCoord> &asked, std::size_t per_coord) const;
    /// Requires that nothing was written after the first `capacity` answers since forget().
    void require_within(std::size_t capacity) const;

    /// A hash of all answers. The order of a list does not matter.
    std::uint64_t digest(bool is_list) const;

    /// The chunk number of answer i, CONTENDER_NUMBER_NONE or CONTENDER_NUMBER_WRONG.
    std::uint32_t number(std::size_t i) const;
    /// "the chunk (1, 2, 3)", for messages
    std::string name_of(std::uint32_t number) const;

  private:
    const Contender &contender;
    const LookupWorld &world;
    std::vector<unsigned char> bytes;
};

/// "(1, 2, 3)"
std::string text_of(TrnCoord coord);
