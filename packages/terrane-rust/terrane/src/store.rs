use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::Arc;

use crate::error::check;
use crate::terrain::{raise, take, Raised};
use crate::{c_box, c_coord, c_voxel, rust_coord, sys, Block, BlockTypes, Blocks, ChunkBox, Coord, Error, Reader, Result, Voxel, VoxelBox};

/// The store of the library, with what must live as long.
pub(crate) struct StoreHandle {
    pub pointer: *mut sys::TrnStore,
    pub types: Arc<BlockTypes>,
    pub raised: Raised,
    listeners: RefCell<Vec<Box<Listener>>>, // of the thread that has the Store
}

unsafe impl Send for StoreHandle {} // readers of other threads use only the index, and its pointer
unsafe impl Sync for StoreHandle {}

impl Drop for StoreHandle {
    fn drop(&mut self) {
        unsafe { sys::trn_store_destroy(self.pointer) }
    }
}

/// Names a chunk as long as it is loaded.
#[derive(Clone, Copy)]
pub struct ChunkId(pub(crate) sys::TrnChunkId);

/// A world's chunks by coordinate. One thread at a time has it; readers of other threads read with a [`Reader`].
pub struct Store {
    pub(crate) handle: Arc<StoreHandle>,
    not_sync: PhantomData<Cell<()>>,
}

impl Store {
    /// An empty store with the built-in blocks.
    pub fn new() -> Result<Store> {
        Store::with_types(Arc::new(BlockTypes::new()?))
    }

    /// An empty store of a world with these blocks.
    pub fn with_types(types: Arc<BlockTypes>) -> Result<Store> {
        let mut def = unsafe { sys::trn_store_def() };
        def.types = types.handle.pointer;
        let mut pointer = ptr::null_mut();
        check(unsafe { sys::trn_store_create(&def, &mut pointer) })?;
        let handle = StoreHandle { pointer, types, raised: Raised::default(), listeners: RefCell::default() };
        Ok(Store { handle: Arc::new(handle), not_sync: PhantomData })
    }

    pub(crate) fn pointer(&self) -> *mut sys::TrnStore {
        self.handle.pointer
    }

    /// What a call returns: its own result, or what a listener returned or panicked with. The change stands then.
    pub(crate) fn done(&self, result: sys::TrnResult) -> Result<()> {
        check(result)?;
        take(&self.handle.raised).map_or(Ok(()), Err)
    }

    /// What the block ids stand for.
    pub fn types(&self) -> &BlockTypes {
        &self.handle.types
    }

    /// The number of loaded chunks.
    pub fn len(&self) -> usize {
        unsafe { sys::trn_store_stats(self.pointer()) }.chunks as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Inserts a chunk of one block.
    pub fn insert_uniform(&self, coord: Coord, block: Block) -> Result<()> {
        self.done(unsafe { sys::trn_store_insert_uniform(self.pointer(), c_coord(coord), block, ptr::null_mut()) })
    }

    /// Inserts a chunk with its voxels.
    pub fn insert(&self, coord: Coord, blocks: &Blocks) -> Result<()> {
        self.done(unsafe { sys::trn_store_insert_voxels(self.pointer(), c_coord(coord), blocks.as_ptr(), ptr::null_mut()) })
    }

    /// Removes a loaded chunk. A stream with a save saves what is unsaved in it first.
    pub fn remove(&self, coord: Coord) -> Result<()> {
        self.done(unsafe { sys::trn_store_remove(self.pointer(), c_coord(coord)) })
    }

    /// The block of a voxel.
    pub fn get_block(&self, voxel: Voxel) -> Result<Block> {
        let (at, mut block) = (c_voxel(voxel), 0);
        check(unsafe { sys::trn_store_get_block_at(self.pointer(), at.x, at.y, at.z, &mut block) })?;
        Ok(block)
    }

    /// Writes all blocks of a chunk.
    pub fn get_blocks(&self, coord: Coord, blocks: &mut Blocks) -> Result<()> {
        let mut snapshot = sys::TrnSnapshot { word: 0 };
        check(unsafe { sys::trn_store_snapshot(self.pointer(), c_coord(coord), &mut snapshot) })?;
        unsafe { sys::trn_snapshot_decode(snapshot, blocks.as_mut_ptr()) };
        Ok(())
    }

    /// Sets one voxel, and returns whether it was another block.
    pub fn set_block(&self, voxel: Voxel, block: Block) -> Result<bool> {
        let mut is_changed = false;
        self.done(unsafe { sys::trn_store_set_block(self.pointer(), c_voxel(voxel), block, &mut is_changed) })?;
        Ok(is_changed)
    }

    /// Begins a batch: edits that are published together by its commit.
    pub fn batch(&self) -> Result<Batch<'_>> {
        let mut batch = ptr::null_mut();
        check(unsafe { sys::trn_batch_begin(self.pointer(), ptr::null(), &mut batch) })?;
        Ok(Batch { pointer: batch, store: self, _kept: self.handle.clone() })
    }

    /// The coordinates of the loaded chunks of a box. A [`Section`](crate::Section) gathers the chunks themselves.
    pub fn gather(&self, chunks: ChunkBox) -> Vec<Coord> {
        let mut coords = Vec::new();
        self.gather_into(chunks, &mut coords);
        coords
    }

    /// As [`Store::gather`], into memory that is used again.
    pub fn gather_into(&self, chunks: ChunkBox, coords: &mut Vec<Coord>) {
        let mut what: sys::TrnChunkGather = unsafe { std::mem::zeroed() };
        what.box_ = c_box(chunks);
        loop {
            coords.clear();
            what.coords = coords.as_mut_ptr().cast(); // a TrnCoord is three i32 in a row
            what.capacity = coords.capacity();
            let count = unsafe { sys::trn_chunk_index_gather(sys::trn_store_index(self.pointer()), &what) };
            if count <= coords.capacity() {
                unsafe { coords.set_len(count) }; // so many were written
                return;
            }
            coords.reserve(count);
        }
    }

    /// An id that names a loaded chunk until it is removed.
    pub fn chunk_id(&self, coord: Coord) -> Result<ChunkId> {
        let chunk = unsafe { sys::trn_store_find(self.pointer(), c_coord(coord)).as_ref() };
        chunk.map(|found| ChunkId(found.id)).ok_or_else(|| Error::of(sys::TRN_RESULT_NOT_FOUND, None))
    }

    /// Where the chunk of an id is; an error if it was removed.
    pub fn coord_of(&self, id: ChunkId) -> Result<Coord> {
        let chunk = unsafe { sys::trn_store_chunk(self.pointer(), id.0).as_ref() };
        chunk.map(|found| rust_coord(found.coord)).ok_or_else(|| Error::of(sys::TRN_RESULT_STALE_ID, None))
    }

    /// A reader for one thread.
    pub fn reader(&self, name: &str) -> Result<Reader> {
        Reader::new(&self.handle, name)
    }

    /// Calls a listener after each change, with the store, which it may change. What it returns or panics with, the call that made the
    /// change returns; the change stands.
    pub fn subscribe(&self, listener: impl FnMut(&Store, &Event) -> Result<()> + Send + 'static) -> Result<Subscription> {
        let mut kept = Box::new(Listener { call: RefCell::new(Box::new(listener)), store: Arc::as_ptr(&self.handle) });
        let user = &mut *kept as *mut Listener as *mut c_void;
        check(unsafe { sys::trn_store_subscribe(self.pointer(), 7, Some(listen), user) })?;
        self.handle.listeners.borrow_mut().push(kept);
        Ok(Subscription(user as usize))
    }

    /// Ends a subscription. The listener is dropped with the store.
    pub fn unsubscribe(&self, subscription: Subscription) -> Result<()> {
        check(unsafe { sys::trn_store_unsubscribe(self.pointer(), Some(listen), subscription.0 as *mut c_void) })
    }
}

/// A listener that was added.
pub struct Subscription(usize);

/// What happened to the chunks of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    Inserted,
    Changed,
    Removed,
}

/// A change: of one chunk, or of all chunks of a batch.
#[derive(Debug)]
pub struct Event {
    pub kind: EventKind,
    pub coords: Vec<Coord>,
    /// The revision of the change.
    pub revision: u64,
}

type Call = Box<dyn FnMut(&Store, &Event) -> Result<()> + Send>;

struct Listener {
    call: RefCell<Call>,
    store: *const StoreHandle,
}

unsafe extern "C" fn listen(_store: *mut sys::TrnStore, event: *const sys::TrnStoreEvent, user: *mut c_void) -> sys::TrnResult {
    let (listener, event) = (&*(user as *const Listener), &*event);
    let chunks = std::slice::from_raw_parts(event.chunks, event.count as usize);
    let kind = match event.kind {
        sys::TRN_EVENT_INSERTED => EventKind::Inserted,
        sys::TRN_EVENT_CHANGED => EventKind::Changed,
        _ => EventKind::Removed,
    };
    let event = Event { kind, coords: chunks.iter().map(|chunk| rust_coord(chunk.coord)).collect(), revision: event.revision };
    // The Store of the listener is the one that is being changed: a second handle that counts no use.
    let store = ManuallyDrop::new(Store { handle: Arc::from_raw(listener.store), not_sync: PhantomData });
    let called = catch_unwind(AssertUnwindSafe(|| match listener.call.try_borrow_mut() {
        Ok(mut call) => call(&store, &event),
        Err(_) => Err(Error::of(sys::TRN_RESULT_BUSY, None)),
    }));
    match called.unwrap_or_else(|payload| Err(Error::panicked(payload))) {
        Ok(()) => sys::TRN_RESULT_OK,
        Err(error) => {
            let result = error.result();
            raise(&store.handle.raised, error);
            result
        }
    }
}

/// Edits of many chunks that are published together. Dropped without a commit, it changes nothing. Edits of chunks that are not loaded are no
/// error: they become pending, and are applied when the chunk is inserted or a stream loads it.
pub struct Batch<'s> {
    pointer: *mut sys::TrnBatch,
    store: &'s Store,
    _kept: Arc<StoreHandle>, // also if the batch is forgotten
}

impl Batch<'_> {
    /// Sets one voxel.
    pub fn set(&mut self, voxel: Voxel, block: Block) -> Result<()> {
        check(unsafe { sys::trn_batch_set(self.pointer, c_voxel(voxel), block) })
    }

    /// Fills a box of voxels, both corners inclusive.
    pub fn fill_box(&mut self, voxels: VoxelBox, block: Block) -> Result<()> {
        check(unsafe { sys::trn_batch_fill_box(self.pointer, c_voxel(voxels.min), c_voxel(voxels.max), block) })
    }

    /// Fills a ball of voxels. The radius is in voxels, at most [`sys::TRN_SPHERE_RADIUS_MAX`].
    pub fn fill_sphere(&mut self, centre: Voxel, radius: f64, block: Block) -> Result<()> {
        check(unsafe { sys::trn_batch_fill_sphere(self.pointer, c_voxel(centre), radius, block) })
    }

    /// Publishes all edits, or none.
    pub fn commit(self) -> Result<()> {
        let batch = ManuallyDrop::new(self);
        let result = unsafe { sys::trn_batch_commit(batch.pointer, ptr::null_mut()) };
        let done = batch.store.done(result);
        drop(unsafe { ptr::read(&batch._kept) });
        done
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        unsafe { sys::trn_batch_cancel(self.pointer) }
    }
}
