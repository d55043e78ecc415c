// Terrane's keepers: a pool with blocks allocated one by one, with one reserved range, and with a
// registry for walks.

#include "pool_keeper.hpp"

#include <terrane/pool.h>
#include <terrane/registry.h>

#include "owned.hpp"

namespace {

using Pool = Owned<TrnPool, trn_pool_destroy>;

Pool make_pool(std::uint32_t count, bool is_reserved)
{
    TrnPoolDef def = trn_pool_def(sizeof(Object));
    def.reserve_slots = is_reserved ? count : 0;
    return make_owned<Pool>(trn_pool_create, &def);
}

Object *take_object(TrnPool *pool, TrnPoolId *id)
{
    void *slot;
    require(trn_pool_alloc(pool, id, &slot));
    return static_cast<Object *>(slot);
}

template <bool is_reserved> class PoolKeeper final : public KeeperLoops<PoolKeeper<is_reserved>> {
  public:
    explicit PoolKeeper(std::uint32_t count) : pool(make_pool(count, is_reserved)), ids(count)
    {
    }
    void take(std::uint32_t key) override
    {
        take_object(pool.get(), &ids[key])->number = key;
    }
    void give(std::uint32_t key) override
    {
        trn_pool_free(pool.get(), ids[key]);
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return static_cast<const Object *>(trn_pool_get(pool.get(), ids[key]))->number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        std::uint32_t cursor = 0;
        void *batch[256];
        while (std::size_t count = trn_pool_gather(pool.get(), &cursor, batch, 256)) {
            for (std::size_t i = 0; i < count; i++) {
                sum += static_cast<const Object *>(batch[i])->number;
            }
        }
        return sum;
    }

  private:
    Pool pool;
    std::vector<TrnPoolId> ids;
};

/// "Ogre 2.0: O(1) insertion, removal and contiguous memory iteration" unchanged: pointers in an
/// array, and each object stores its index.
class RegistryKeeper final : public KeeperLoops<RegistryKeeper> {
  public:
    explicit RegistryKeeper(std::uint32_t count) : pool(make_pool(count, true)), ids(count)
    {
        const TrnRegistryDef def = trn_registry_def(offsetof(Object, own));
        create_owned(registry, trn_registry_create, &def);
    }
    void take(std::uint32_t key) override
    {
        Object *object = take_object(pool.get(), &ids[key]);
        object->number = key;
        object->own[0] = 0;
        require(trn_registry_add(registry.get(), object));
    }
    void give(std::uint32_t key) override
    {
        trn_registry_remove(registry.get(), trn_pool_get(pool.get(), ids[key]));
        trn_pool_free(pool.get(), ids[key]);
    }
    std::uint64_t number_at(std::uint32_t key) const override
    {
        return static_cast<const Object *>(trn_pool_get(pool.get(), ids[key]))->number;
    }
    std::uint64_t walk() const override
    {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < registry->count; i++) {
            sum += static_cast<const Object *>(registry->items[i])->number;
        }
        return sum;
    }

  private:
    Pool pool;
    Owned<TrnRegistry, trn_registry_destroy> registry;
    std::vector<TrnPoolId> ids;
};

} // namespace

std::vector<KeeperKind> terrane_keepers()
{
    return {{"TrnPool", make_keeper<PoolKeeper<false>>},
            {"TrnPool, one reserved range", make_keeper<PoolKeeper<true>>},
            {"TrnRegistry over TrnPool, swap-and-pop", make_keeper<RegistryKeeper>}};
}
