// What a store allocates: which part allocated it, how much it may be, and why an allocation was
// refused.

#include "store/store_impl.h"

static bool account_fits(const TrnStore *store, size_t bytes)
{
    return !store->bytes_max ||
           (store->bytes <= store->bytes_max && bytes <= store->bytes_max - store->bytes);
}

/// Whether the cap lets a part allocate so much more, if need be after freeing spare memory.
static bool account_admit(size_t bytes, void *user)
{
    const TrnStoreAccount *account = user;
    TrnStore *store = account->store;
    if (!account_fits(store, bytes)) {
        store->free_spare(store, (TrnStorePart)(account - store->accounts));
    }
    if (!account_fits(store, bytes)) {
        store->refusal = (TrnStoreRefusal){.is_capped = true};
        return false;
    }
    return true;
}

static void account_add(size_t bytes, void *user)
{
    TrnStoreAccount *account = user;
    TrnStore *store = account->store;
    account->bytes += bytes;
    store->bytes += bytes;
    store->bytes_peak = store->bytes > store->bytes_peak ? store->bytes : store->bytes_peak;
}

static void account_remove(size_t bytes, void *user)
{
    TrnStoreAccount *account = user;
    account->bytes -= bytes;
    account->store->bytes -= bytes;
}

static void *account_alloc(size_t bytes, size_t alignment, void *user)
{
    const TrnStoreAccount *account = user;
    if (!account_admit(bytes, user)) {
        return NULL;
    }
    void *memory = trn_take(&account->store->allocator, bytes, alignment);
    if (!memory) { // this is the reason to report, whatever caps have refused before
        trn_store_refusal_clear(&account->store->refusal);
        return NULL;
    }
    account_add(bytes, user);
    return memory;
}

static void account_free(void *memory, size_t bytes, void *user)
{
    const TrnStoreAccount *account = user;
    account_remove(bytes, user);
    trn_give(&account->store->allocator, memory, bytes);
}

void trn_store_open_accounts(TrnStore *store, const TrnStoreDef *def)
{
    for (uint32_t part = 0; part < TRN_STORE_PART_COUNT; part++) {
        store->accounts[part].store = store;
    }
    store->accounts[TRN_STORE_BOOKKEEPING].bytes = sizeof *store;
    store->bytes = sizeof *store;
    store->bytes_peak = sizeof *store;
    store->bytes_max = def->bytes_max;
}

TrnAllocator trn_store_allocator(TrnStore *store, TrnStorePart part)
{
    return (TrnAllocator){account_alloc, account_free, &store->accounts[part]};
}

/// As account_admit(). If the system then refuses to commit, that is the reason to report.
static bool account_admit_commit(size_t bytes, void *user)
{
    const TrnStoreAccount *account = user;
    if (!account_admit(bytes, user)) {
        return false;
    }
    trn_store_refusal_clear(&account->store->refusal);
    return true;
}

TrnPoolCommits trn_store_commits(TrnStore *store, TrnStorePart part)
{
    return (TrnPoolCommits){account_admit_commit, account_add, account_remove,
                            &store->accounts[part]};
}

TrnStoreRefusal *trn_store_refusal(TrnStore *store)
{
    return &store->refusal;
}

TrnResult trn_store_result(const TrnStore *store, TrnResult result)
{
    if (result != TRN_RESULT_NO_MEMORY || !store->refusal.is_capped) {
        return result;
    }
    const bool waits = !store->refusal.is_part_capped && store->index &&
                       trn_chunk_index_slowest_reader(store->index, NULL);
    return waits ? TRN_RESULT_READERS : TRN_RESULT_FULL;
}

size_t trn_store_bytes_max(const TrnStore *store)
{
    return store->bytes_max;
}

void trn_store_set_bytes_max(TrnStore *store, size_t bytes_max)
{
    store->bytes_max = bytes_max;
}
