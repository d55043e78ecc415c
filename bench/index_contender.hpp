/// Terrane's chunk index as a contender.
#pragma once

#include <terrane/chunk_index.h>

#include "contender.hpp"

class IndexContender final : public Contender {
  public:
    /// @param planes  how many planes besides TRN_PLANE_PRESENT; find_ready needs one and fills the last
    explicit IndexContender(std::uint32_t planes = 0);

    void insert(TrnCoord coord, std::uint32_t value) override;
    void remove(TrnCoord coord) override;
    std::size_t count() const override;
    std::size_t gather(TrnBox box) override;
    std::size_t gather_all() override;
    std::vector<std::uint32_t> gathered() const override;
    std::uint64_t sum_found(const std::vector<TrnCoord> &chunks) const override;
    std::uint64_t sum_neighbours(const std::vector<TrnCoord> &chunks) const override;
    void find_ready(const std::vector<TrnCoord> &chunks) override;
    std::size_t ready_count() const override;
    void step(const std::vector<TrnCoord> &come, const std::vector<TrnCoord> &go, int dx) override;

    /// Copies what the last gather found. @param list  at least as long
    void copy_gathered(std::vector<std::uint32_t> &list) const;
    /// Gathers the chunks of a box whose bit in `plane` is set.
    std::size_t gather_plane(TrnBox box, TrnPlane plane);
    /// Gathers the addresses of the slots that the chunks' values stand for. @param list  receives them; at least as long as they are many
    std::size_t gather_pointers(TrnBox box, const TrnPool *pool, std::vector<void *> &list) const;
    /// Gathers all neighbours of the chunks in a box at once.
    std::size_t gather_neighbours(TrnBox box);
    /// What sum_neighbours would say of the chunks whose neighbours were gathered last.
    std::uint64_t sum_of_gathered_neighbours() const;
    /// As sum_found, inside read sections of 1,000 finds each.
    std::uint64_t sum_found_in_sections(const std::vector<TrnCoord> &chunks) const;

    TrnChunkIndex *get() const
    {
        return index.get();
    }

  private:
    struct Destroy {
        void operator()(TrnChunkIndex *gone) const
        {
            trn_chunk_index_destroy(gone);
        }
    };
    void make_room();
    std::unique_ptr<TrnChunkIndex, Destroy> index;
    TrnChunkReader *reader = nullptr;
    TrnPlane last_plane;
    std::vector<std::uint32_t> out, neighbours;
    std::size_t found = 0;
};
