/// Terrane's storages and saves for C++17 and later: storages that close themselves, and worlds
/// that last. As thin as terrane/terrane.hpp, which says how results and handles work. Shared
/// worlds have terrane/shared.hpp.
///
///     TrnStorageProblem problem{}; // receives a sentence on failure
///     auto file = trn::Storage::open("my.world", TRN_STORAGE_EITHER, &problem).value();
///     auto save = trn::Save::create(std::move(file), types, trn_save_def(), &problem).value();
///     stream_def.source = save.source();
///     trn::Stream stream = trn::Stream::create(stream_def).value();
///     ...
///     stream.save().value(); // queues what is unsaved
///     save.flush().value();  // returns when all of it is on the disk
///
/// Tier: that of the C functions.
#ifndef TERRANE_SAVE_HPP
#define TERRANE_SAVE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <terrane/save.h>
#include <terrane/storage.h>
#include <terrane/terrane.hpp>

namespace trn {

// ---- storages ----------------------------------------------------------------------------------

namespace detail {

/// Passes what a storage visits to a function of the user's.
template <class Visit> struct StorageVisitor {
    Visit &visit;
    TrnResult result = TRN_RESULT_OK; ///< what the function threw

    template <class Item> static bool run(void *user, const Item *item) noexcept
    {
        auto *self = static_cast<StorageVisitor *>(user);
        bool goes_on = true;
        self->result = call([&] {
            if constexpr (std::is_void_v<decltype(self->visit(*item))>) {
                self->visit(*item);
            } else {
                goes_on = self->visit(*item);
            }
        });
        return goes_on && self->result == TRN_RESULT_OK;
    }
    /// What a call of a storage returned, or what the function threw.
    Status status(TrnResult called) const
    {
        return result == TRN_RESULT_OK ? called : result;
    }
};

} // namespace detail

/// Borrows a storage (terrane/storage.h), by value: a copy stays valid until the storage is closed,
/// by a save too.
class StorageRef {
  public:
    using held_type = TrnStorage; ///< what C calls it
    StorageRef() noexcept = default;
    StorageRef(const TrnStorage &c) noexcept : c_(c)
    {
    }
    explicit operator bool() const noexcept
    {
        return c_.close != nullptr;
    }
    /// For functions of C, and for TrnSaveDef.storage. All zeroes for an empty handle.
    const TrnStorage *c() const noexcept
    {
        return &c_;
    }
    /// The last failure as a sentence; empty if the storage tells none. Allocates.
    std::string problem() const
    {
        TrnStorageProblem why{};
        if (c_.problem) {
            c_.problem(c_.user, why.sentence, sizeof why.sentence);
        }
        return why.sentence;
    }
    /// Reads rows by key.
    /// @param visit  (const TrnStorageRow &) -> void, or bool: false stops
    template <class Visit> Status get(Span<const TrnStorageKey> keys, Visit visit) const
    {
        detail::StorageVisitor<Visit> visitor{visit};
        return visitor.status(c_.get(c_.user, keys.data(), keys.size(),
                                     visitor.template run<TrnStorageRow>, &visitor));
    }
    /// Reads the rows of a range. @param visit  as of get
    template <class Visit> Status list(const TrnStorageRange &range, Visit visit) const
    {
        detail::StorageVisitor<Visit> visitor{visit};
        return visitor.status(
            c_.list(c_.user, &range, visitor.template run<TrnStorageRow>, &visitor));
    }
    /// Reads values by prefix. @param visit  (const TrnStorageValue &) -> void, or bool
    template <class Visit> Status values(const char *prefix, Visit visit) const
    {
        detail::StorageVisitor<Visit> visitor{visit};
        return visitor.status(
            c_.values(c_.user, prefix, visitor.template run<TrnStorageValue>, &visitor));
    }
    /// Writes a batch in one transaction.
    Status put(const TrnStorageBatch &batch) const
    {
        return c_.put(c_.user, &batch);
    }

  protected:
    TrnStorage c_{};
};

namespace detail {

inline void close_storage(const TrnStorage &storage) noexcept
{
    if (storage.close) {
        storage.close(storage.user);
    }
}

} // namespace detail

/// Owns a storage: closes it at the end of its scope.
class Storage : public Owned<StorageRef, detail::close_storage> {
  public:
    using Owned::Owned;
    /// Opens a file; terrane/shared.hpp opens databases.
    /// @param problem  receives a sentence on failure; may be NULL
    static Result<Storage> open(const char *name, TrnStorageMode mode = TRN_STORAGE_OPEN,
                                TrnStorageProblem *problem = nullptr)
    {
        return opened([&](TrnStorage *c) { return trn_storage_open(name, mode, c, problem); });
    }
    /// Opens a file, whatever its name. @param problem  as of open
    static Result<Storage> sqlite(const char *path, TrnStorageMode mode = TRN_STORAGE_OPEN,
                                  TrnStorageProblem *problem = nullptr)
    {
        return opened([&](TrnStorage *c) { return trn_storage_sqlite(path, mode, c, problem); });
    }
    /// An empty one in memory.
    static Result<Storage> memory(const TrnAllocator *allocator = nullptr)
    {
        return opened([&](TrnStorage *c) { return trn_storage_memory(allocator, c); });
    }

  private:
    template <class Open> static Result<Storage> opened(Open open)
    {
        TrnStorage c{};
        const TrnResult result = open(&c);
        return result == TRN_RESULT_OK ? Result<Storage>(Storage(c)) : result;
    }
};

// ---- saves -------------------------------------------------------------------------------------

/// Owns a save (terrane/save.h), which keeps the chunks of a world in a storage. The end of its
/// scope writes the queue and closes the storage; close() tells whether that succeeded. Destroy its
/// stream first.
class Save : public Owned<Borrowed<TrnSave>, trn_save_destroy> {
  public:
    using Owned::Owned;
    /// Opens the world of a storage, or makes it one if the storage is empty.
    /// @param storage  taken over; closed on every failure
    /// @param types    borrowed: must outlive the save
    /// @param def      its `storage` and `types` are set here
    /// @param problem  receives a sentence on failure; may be NULL
    static Result<Save> create(Storage storage, BlockTypesRef types,
                               TrnSaveDef def = trn_save_def(),
                               TrnStorageProblem *problem = nullptr)
    {
        def.storage = *storage.c();
        def.types = types.c();
        TrnSave *c = nullptr;
        const TrnResult result = trn_save_create(&def, &c, problem);
        if (result != TRN_RESULT_BAD_ARGUMENT) {
            storage.release(); // the save has it, or closed it
        }
        return result == TRN_RESULT_OK ? Result<Save>(Save(c)) : result;
    }
    /// Makes a world in an empty storage, with the first values of the game. Call it before
    /// create(). EXISTS: there is one.
    /// @param problem  receives a sentence on failure; may be NULL
    static Status make_world(StorageRef storage, Span<const TrnStorageValue> values,
                             TrnStorageProblem *problem = nullptr)
    {
        return trn_save_make_world(storage.c(), values.data(), values.size(), problem);
    }
    /// Destroys the save now, after its stream. The handle is then empty.
    /// @return OK, or why the queue could not be written
    Status close()
    {
        return trn_save_destroy(release());
    }
    /// For TrnStreamDef.source. Borrows the save.
    TrnStreamSource source() const
    {
        return trn_save_source(c_);
    }

    // ---- write

    /// Begins a transaction: see trn_save_begin.
    Status begin()
    {
        return trn_save_begin(c_);
    }
    void end()
    {
        trn_save_end(c_);
    }
    Status flush()
    {
        return trn_save_flush(c_);
    }
    /// BUSY if the time is up. To end the program then, call release() and exit: the destructor
    /// would wait.
    Status flush_for(double seconds)
    {
        return trn_save_flush_for(c_, seconds);
    }
    /// Saves a chunk of one block.
    Status put(TrnCoord coord, TrnBlock block, std::uint32_t level = 0)
    {
        return trn_save_put(c_, coord, level, &block, true);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; BAD_ARGUMENT if it is shorter
    Status put(TrnCoord coord, Span<const TrnBlock> blocks, std::uint32_t level = 0)
    {
        return blocks.size() < chunk_voxels ? TRN_RESULT_BAD_ARGUMENT
                                            : trn_save_put(c_, coord, level, blocks.data(), false);
    }
    /// Reads a saved chunk. Errors: NOT_FOUND (not saved), and as trn_save_get.
    /// @param blocks  [TRN_CHUNK_VOXELS] or more; BAD_ARGUMENT if it is shorter
    /// @return whether every voxel is blocks[0]; the others are then undefined
    Result<bool> get(TrnCoord coord, Span<TrnBlock> blocks, std::uint32_t level = 0) const
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<bool>(trn_save_get, c_, coord, level, blocks.data());
    }
    /// Stores the pending edits of a store. Call it where you call Stream::save().
    Status save_pending(StoreRef store)
    {
        return trn_save_pending(c_, store.c());
    }
    /// Makes them pending again. Call it once, before the stream is created.
    Status load_pending(StoreRef store)
    {
        return trn_save_load_pending(c_, store.c());
    }

    // ---- values of the game's own

    Status set_value(const char *name, Span<const unsigned char> bytes)
    {
        const void *from = bytes.size() ? bytes.data() : detail::no_bytes;
        return trn_save_set_value(c_, name, from, bytes.size());
    }
    Status set_value(const char *name, std::string_view text)
    {
        const void *from = text.empty() ? detail::no_bytes : static_cast<const void *>(text.data());
        return trn_save_set_value(c_, name, from, text.size());
    }
    Status remove_value(const char *name)
    {
        return trn_save_set_value(c_, name, nullptr, 0);
    }
    /// Reads a value into a vector to reuse.
    /// @return the value, in the buffer, whose size says nothing
    template <class Byte>
    Result<Span<const Byte>> get_value(const char *name, std::vector<Byte> &buffer) const
    {
        static_assert(sizeof(Byte) == 1 && std::is_trivially_copyable_v<Byte>, "a value is bytes");
        TrnResult result = TRN_RESULT_OK;
        const Span<const Byte> value =
            detail::gather_into(buffer, [&](Byte *out, std::size_t capacity) {
                std::size_t size = 0;
                result = trn_save_get_value(c_, name, out, capacity, &size);
                return size;
            });
        return result == TRN_RESULT_OK ? Result<Span<const Byte>>(value) : result;
    }
    /// Reads a value as a string. Allocates.
    Result<std::string> get_text(const char *name) const
    {
        std::vector<char> buffer;
        const Result<Span<const char>> text = get_value(name, buffer);
        return text ? Result<std::string>(std::string(text->begin(), text->end())) : text.result();
    }
    /// Checks that the world may be used with the land that the game generates.
    /// @param problem  receives a sentence on failure; may be NULL
    Status bind_land(const char *land, TrnStorageProblem *problem = nullptr)
    {
        return trn_save_bind_land(c_, land, problem);
    }
    void name_blocks()
    {
        trn_save_name_blocks(c_);
    }
    /// Makes the levels of detail of what was saved without them. trn_save_fold shows progress.
    /// @param land  generates what has no row; NULL: air
    Status fold(const TrnGenerator *land, std::uint32_t levels)
    {
        return trn_save_fold(c_, land, levels, nullptr, nullptr);
    }
    Status note_folded(std::uint32_t levels)
    {
        return trn_save_note_folded(c_, levels);
    }

    // ---- what happened

    /// Takes the oldest event; empty if there is none.
    std::optional<TrnSaveEvent> next_event()
    {
        TrnSaveEvent event{};
        return trn_save_next_event(c_, &event) ? std::optional<TrnSaveEvent>(event) : std::nullopt;
    }
    TrnSaveStats stats() const
    {
        return trn_save_stats(c_);
    }
};

} // namespace trn

#endif
