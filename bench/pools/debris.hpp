/// A piece of debris, which every strategy of topic `pools` stores and moves.
#pragma once

#include <cstdint>
#include <cstring>

#include "mixed_bits.hpp"

/// A piece as large as in a game: a cache line. If `life` is 0, the piece is free.
struct Debris {
    float place[4]; ///< x, y, z and the angle
    float speed[4]; ///< change of `place` per frame
    float size, fade, fade_step;
    std::uint32_t age, life; ///< in frames
    std::uint32_t number;    ///< how many pieces were born earlier; in a free piece, a link
    std::uint32_t colour, sprite;
};
static_assert(sizeof(Debris) == 64, "a piece of debris is a cache line");

/// Converts bits of a hash to a number from 0 to below 1.
inline float unit_float(std::uint64_t bits, unsigned shift)
{
    return static_cast<float>(bits >> shift & 0xFFFF) * (1.0f / 65536.0f);
}

/// The rules of a cloud of debris.
struct DebrisRules {
    std::uint32_t seed;
    std::uint32_t mean_life; ///< frames; lives are uniform in 1 .. 2 * mean_life - 1
};

/// Initialises a piece. All fields follow from its number, so all strategies hold the same pieces,
/// in any order.
inline void make_born(Debris &piece, std::uint32_t number, const DebrisRules &rules)
{
    const std::uint64_t bits = mixed_bits(static_cast<std::uint64_t>(rules.seed) << 32 | number);
    for (unsigned i = 0; i < 4; i++) {
        piece.place[i] = 2.0f * unit_float(bits, 12 * i) - 1.0f;
        piece.speed[i] = 0.1f * unit_float(bits, 12 * i + 4) - 0.05f;
    }
    piece.size = unit_float(bits, 16);
    piece.fade = 1.0f;
    const std::uint64_t choices = 2 * static_cast<std::uint64_t>(rules.mean_life) - 1;
    piece.life = 1 + static_cast<std::uint32_t>((bits >> 32) * choices >> 32);
    piece.fade_step = 1.0f / static_cast<float>(piece.life);
    piece.age = 0;
    piece.number = number;
    piece.colour = static_cast<std::uint32_t>(bits);
    piece.sprite = static_cast<std::uint32_t>(bits >> 8) & 15;
}

/// Moves a piece by one frame. @return whether its life has ended
inline bool advance(Debris &piece)
{
    for (unsigned i = 0; i < 4; i++) {
        piece.place[i] += piece.speed[i];
    }
    piece.fade -= piece.fade_step;
    piece.age++;
    return piece.age >= piece.life;
}

/// Whether a piece is off the screen, which shows x and y from -1 to 1. Pieces are born on the
/// screen.
inline bool is_off_screen(const Debris &piece)
{
    return piece.place[0] < -1.0f || piece.place[0] > 1.0f || piece.place[1] < -1.0f ||
           piece.place[1] > 1.0f;
}

/// The hash of a piece's number, age and place. The digest of a set of pieces is the sum of their
/// hashes.
inline std::uint64_t digest_of(const Debris &piece)
{
    std::uint32_t x, angle;
    std::memcpy(&x, &piece.place[0], sizeof x);
    std::memcpy(&angle, &piece.place[3], sizeof angle);
    const std::uint64_t first =
        mixed_bits(static_cast<std::uint64_t>(piece.number) << 32 | piece.age);
    return mixed_bits(first ^ (static_cast<std::uint64_t>(x) << 32 | angle));
}
