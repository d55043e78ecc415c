/// Particles, and grids that store which particles are in each cell.
///
/// A grid has
///     explicit Grid(std::vector<Particle> particles);
///     void move_all();
///     std::uint64_t count_pairs() const;  // pairs of particles closer than reach
///     void for_each(Visit visit) const;
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

const std::uint32_t grid_side = 1000; ///< cells of size 1 along x and along y
const std::uint32_t grid_cells = grid_side * grid_side;
const float particle_reach_squared = 0.25f; ///< square of the reach, half a cell
const std::uint32_t no_particle = UINT32_MAX;

struct Particle {
    float x, y, vx, vy;
    std::uint32_t number;
};

/// Moves a coordinate by one frame. Bounces off the border.
inline void step_along(float &place, float &speed)
{
    const float side = static_cast<float>(grid_side);
    place += speed;
    if (place < 0.0f || place > side) {
        place = place < 0.0f ? -place : 2.0f * side - place;
        speed = -speed;
    }
}

inline std::uint32_t cell_of(const Particle &particle)
{
    const std::uint32_t x = std::min(static_cast<std::uint32_t>(particle.x), grid_side - 1);
    const std::uint32_t y = std::min(static_cast<std::uint32_t>(particle.y), grid_side - 1);
    return y * grid_side + x;
}

inline void step(Particle &particle)
{
    step_along(particle.x, particle.vx);
    step_along(particle.y, particle.vy);
}

inline std::uint32_t touches(const Particle &a, const Particle &b)
{
    const float dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy < particle_reach_squared;
}

/// Calls visit for the four neighbours of a cell that follow it in order, so that each pair of
/// cells is visited once.
template <class Visit> void for_later_neighbours(std::uint32_t cell, Visit visit)
{
    const std::uint32_t x = cell % grid_side;
    if (x + 1 < grid_side) {
        visit(cell + 1);
    }
    if (cell + grid_side >= grid_cells) {
        return;
    }
    if (x > 0) {
        visit(cell + grid_side - 1);
    }
    visit(cell + grid_side);
    if (x + 1 < grid_side) {
        visit(cell + grid_side + 1);
    }
}

/// The baseline of "Understanding cache-friendly, data-oriented objects and handles": every cell
/// has a std::vector of indices.
class VectorGrid {
  public:
    explicit VectorGrid(std::vector<Particle> all) : particles(std::move(all)), cells(grid_cells)
    {
        for (std::uint32_t i = 0; i < particles.size(); i++) {
            cells[cell_of(particles[i])].push_back(i);
        }
    }
    void move_all()
    {
        for (std::uint32_t i = 0; i < particles.size(); i++) {
            const std::uint32_t before = cell_of(particles[i]);
            step(particles[i]);
            const std::uint32_t after = cell_of(particles[i]);
            if (after != before) {
                std::vector<std::uint32_t> &cell = cells[before];
                *std::find(cell.begin(), cell.end(), i) = cell.back();
                cell.pop_back();
                cells[after].push_back(i);
            }
        }
    }
    std::uint64_t count_pairs() const
    {
        std::uint64_t pairs = 0;
        for (std::uint32_t i = 0; i < particles.size(); i++) {
            const std::uint32_t cell = cell_of(particles[i]);
            for (std::uint32_t other : cells[cell]) {
                pairs += other > i && touches(particles[i], particles[other]);
            }
            for_later_neighbours(cell, [&](std::uint32_t near) {
                for (std::uint32_t other : cells[near]) {
                    pairs += touches(particles[i], particles[other]);
                }
            });
        }
        return pairs;
    }
    template <class Visit> void for_each(Visit visit) const
    {
        for (std::uint32_t cell = 0; cell < grid_cells; cell++) {
            for (std::uint32_t i : cells[cell]) {
                visit(cell, particles[i]);
            }
        }
    }

  private:
    std::vector<Particle> particles;
    std::vector<std::vector<std::uint32_t>> cells;
};

/// The same article's section "Singly-Linked Index List": particles in one array, each with the
/// index of the next particle in its cell, and 4 bytes per cell. Changing the cell writes a few
/// integers. The previous particle is found by following the cell's list, which is short.
class LinkedGrid {
  public:
    explicit LinkedGrid(const std::vector<Particle> &all) : heads(grid_cells, no_particle)
    {
        nodes.reserve(all.size());
        for (const Particle &particle : all) {
            nodes.push_back({particle, no_particle});
            link(static_cast<std::uint32_t>(nodes.size() - 1), cell_of(particle));
        }
    }
    void move_all()
    {
        for (std::uint32_t i = 0; i < nodes.size(); i++) {
            const std::uint32_t before = cell_of(nodes[i].particle);
            step(nodes[i].particle);
            const std::uint32_t after = cell_of(nodes[i].particle);
            if (after != before) {
                unlink(i, before);
                link(i, after);
            }
        }
    }
    std::uint64_t count_pairs() const
    {
        std::uint64_t pairs = 0;
        for (const Node &node : nodes) {
            for (std::uint32_t i = node.next; i != no_particle; i = nodes[i].next) {
                pairs += touches(node.particle, nodes[i].particle);
            }
            for_later_neighbours(cell_of(node.particle), [&](std::uint32_t near) {
                for (std::uint32_t i = heads[near]; i != no_particle; i = nodes[i].next) {
                    pairs += touches(node.particle, nodes[i].particle);
                }
            });
        }
        return pairs;
    }
    template <class Visit> void for_each(Visit visit) const
    {
        for (std::uint32_t cell = 0; cell < grid_cells; cell++) {
            for (std::uint32_t i = heads[cell]; i != no_particle; i = nodes[i].next) {
                visit(cell, nodes[i].particle);
            }
        }
    }

  protected:
    /// "It's easy enough to restore it with a post-processing copy": copies the particles cell by
    /// cell, so that each list is contiguous.
    void copy_in_order()
    {
        copy.clear();
        copy.reserve(nodes.size());
        for (std::uint32_t &head : heads) {
            if (head == no_particle) {
                continue;
            }
            std::uint32_t next = std::exchange(head, static_cast<std::uint32_t>(copy.size()));
            while (next != no_particle) {
                const Node &node = nodes[next];
                const auto behind = static_cast<std::uint32_t>(copy.size() + 1);
                next = node.next;
                copy.push_back({node.particle, next == no_particle ? no_particle : behind});
            }
        }
        nodes.swap(copy);
    }

  private:
    struct Node {
        Particle particle;
        std::uint32_t next;
    };
    void link(std::uint32_t index, std::uint32_t cell)
    {
        nodes[index].next = std::exchange(heads[cell], index);
    }
    void unlink(std::uint32_t index, std::uint32_t cell)
    {
        std::uint32_t *before = &heads[cell];
        while (*before != index) {
            before = &nodes[*before].next;
        }
        *before = nodes[index].next;
    }
    std::vector<Node> nodes, copy;
    std::vector<std::uint32_t> heads;
};

/// As LinkedGrid, but with the copy in every eighth step.
class CopiedGrid : public LinkedGrid {
  public:
    explicit CopiedGrid(const std::vector<Particle> &all) : LinkedGrid(all)
    {
        copy_in_order();
    }
    void move_all()
    {
        LinkedGrid::move_all();
        if (++steps % period == 0) {
            copy_in_order();
        }
    }
    static const std::uint32_t period = 8;

  private:
    std::uint32_t steps = 0;
};

/// Not in the article: sorts all particles by cell in every step, by counting sort. A cell is the
/// range between two starts.
class SortedGrid {
  public:
    explicit SortedGrid(std::vector<Particle> all)
        : particles(std::move(all)), sorted(particles.size()), starts(grid_cells + 1)
    {
        sort();
    }
    void move_all()
    {
        for (Particle &particle : particles) {
            step(particle);
        }
        sort();
    }
    std::uint64_t count_pairs() const
    {
        std::uint64_t pairs = 0;
        for (std::uint32_t i = 0; i < particles.size(); i++) {
            const std::uint32_t cell = cell_of(particles[i]);
            pairs += count_range(particles[i], i + 1, starts[cell + 1]);
            for_later_neighbours(cell, [&](std::uint32_t near) {
                pairs += count_range(particles[i], starts[near], starts[near + 1]);
            });
        }
        return pairs;
    }
    template <class Visit> void for_each(Visit visit) const
    {
        for (std::uint32_t cell = 0; cell < grid_cells; cell++) {
            for (std::uint32_t i = starts[cell]; i < starts[cell + 1]; i++) {
                visit(cell, particles[i]);
            }
        }
    }

  private:
    std::uint64_t count_range(const Particle &particle, std::uint32_t begin,
                              std::uint32_t end) const
    {
        std::uint64_t pairs = 0;
        for (std::uint32_t i = begin; i < end; i++) {
            pairs += touches(particle, particles[i]);
        }
        return pairs;
    }
    void sort()
    {
        std::fill(starts.begin(), starts.end(), 0u);
        for (const Particle &particle : particles) {
            starts[cell_of(particle)]++;
        }
        std::uint32_t sum = 0;
        for (std::uint32_t &start : starts) {
            sum += start;
            start = sum; // end of the cell; each particle decrements it, down to the start
        }
        for (std::size_t i = particles.size(); i-- > 0;) {
            sorted[--starts[cell_of(particles[i])]] = particles[i];
        }
        particles.swap(sorted);
    }
    std::vector<Particle> particles, sorted;
    std::vector<std::uint32_t> starts;
};
