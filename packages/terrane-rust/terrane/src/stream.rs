use std::ptr;

use crate::error::{check, text};
use crate::terrain::{take, LentGenerator};
use crate::{c_coord, c_voxel, sys, Coord, Generator, Result, Store, Voxel};

/// A player, a camera, or another place that chunks are loaded around. By default it stands at the origin, and reaches 16 chunks around and
/// 4 up and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// East, up and south, in voxels of the world.
    pub position: [f64; 3],
    /// How far the view reaches, in chunks; 0 is one column.
    pub radius: u32,
    /// How far it reaches up and down, in chunks.
    pub height: u32,
}

impl Default for Anchor {
    fn default() -> Anchor {
        Anchor { position: [0.0; 3], radius: 16, height: 4 }
    }
}

impl Anchor {
    fn as_c(&self) -> sys::TrnStreamAnchor {
        let mut anchor = unsafe { sys::trn_stream_anchor() };
        let chunk = self.position.map(|at| (at / 32.0).floor());
        anchor.position.chunk = c_coord(chunk.map(|at| at as i32)); // beyond the world it saturates, and the offset below is refused
        for axis in 0..3 {
            anchor.position.offset[axis] = self.position[axis] - f64::from(chunk[axis] as i32) * 32.0;
        }
        anchor.radius_chunks = self.radius;
        anchor.height_chunks = self.height;
        anchor
    }
}

/// Names an anchor until it is removed.
#[derive(Clone, Copy)]
pub struct AnchorId(sys::TrnStreamAnchorId);

/// What an update did.
pub type Report = sys::TrnStreamReport;

/// Settings of a stream.
pub struct StreamBuilder {
    store: Store,
    generator: Generator,
    def: sys::TrnStreamDef,
    #[cfg(feature = "save")]
    save: Option<std::sync::Arc<crate::save::SaveHandle>>,
}

impl StreamBuilder {
    /// Threads that generate and load; 0: the calling thread does all work.
    pub fn workers(mut self, workers: u32) -> StreamBuilder {
        self.def.workers = workers;
        self
    }

    /// The most bytes of the store and the stream together.
    pub fn bytes_max(mut self, bytes: usize) -> StreamBuilder {
        self.def.bytes_max = bytes;
        self
    }

    /// Keeps the light of the chunks for [`Stream::light_at`].
    pub fn light(mut self) -> StreamBuilder {
        self.def.light = true;
        self.def.keep_light = true;
        self.def.hooks.mesh = Some(no_mesh); // a stream lights chunks when it meshes them
        self
    }

    /// Loads chunks from a save, and saves them there. Ending a stream does not save: call [`Stream::save`] first.
    #[cfg(feature = "save")]
    pub fn save(mut self, save: &crate::Save) -> StreamBuilder {
        self.save = Some(save.handle.clone());
        self.def.source = unsafe { sys::trn_save_source(save.handle.pointer) };
        self
    }

    /// Begins the stream. It loads nothing before it has an anchor.
    pub fn build(mut self) -> Result<Stream> {
        let generator = self.generator.lend();
        self.def.store = self.store.pointer();
        self.def.generator = generator.generator;
        let mut pointer = ptr::null_mut();
        check(unsafe { sys::trn_stream_create(&self.def, &mut pointer) })?;
        Ok(Stream {
            pointer: Pointer(pointer),
            store: Some(self.store),
            generator,
            #[cfg(feature = "save")]
            _save: self.save,
        })
    }
}

unsafe extern "C" fn no_mesh(
    _: *mut std::ffi::c_void,
    _: *const sys::TrnStreamJob,
    _: *const sys::TrnStreamMeshInput,
    _: *mut sys::TrnStreamMesh,
) -> sys::TrnResult {
    sys::TRN_RESULT_OK
}

/// Keeps a store filled around anchors. It owns the store, so both are on one thread. Ending a stream does not save: call [`Stream::save`]
/// first.
pub struct Stream {
    pointer: Pointer, // first: it ends before what it uses
    store: Option<Store>,
    generator: LentGenerator,
    #[cfg(feature = "save")]
    _save: Option<std::sync::Arc<crate::save::SaveHandle>>,
}

struct Pointer(*mut sys::TrnStream);

impl Drop for Pointer {
    fn drop(&mut self) {
        unsafe { sys::trn_stream_destroy(self.0) }
    }
}

unsafe impl Send for Stream {} // with its store; its callbacks are Send + Sync, or the store's own, see Store::subscribe

impl Stream {
    /// A stream of this store. It generates with `&terrain`, or with [`Generator::new`] of a program's own.
    pub fn builder(store: Store, generator: impl Into<Generator>) -> StreamBuilder {
        StreamBuilder {
            store,
            generator: generator.into(),
            def: unsafe { sys::trn_stream_def() },
            #[cfg(feature = "save")]
            save: None,
        }
    }

    /// The store, for edits and reads between updates.
    pub fn store(&self) -> &Store {
        self.store.as_ref().unwrap_or_else(|| unreachable!("only into_store() takes it"))
    }

    /// Ends the stream, and returns the store with its chunks. Does not save.
    pub fn into_store(mut self) -> Store {
        let store = self.store.take();
        drop(self);
        store.unwrap_or_else(|| unreachable!("only this takes it"))
    }

    /// What a call returns: what a callback panicked with, or its own result.
    fn done(&self, result: sys::TrnResult) -> Result<()> {
        match take(&self.generator.raised) {
            Some(error) => Err(error),
            None => self.store().done(result),
        }
    }

    /// Adds an anchor. Its position is in voxels, its reach in chunks: 16, and 4 up and down, by default. The next updates load the chunks
    /// around it.
    pub fn add_anchor(&mut self, anchor: &Anchor) -> Result<AnchorId> {
        let mut id = sys::TrnStreamAnchorId { index1: 0, generation: 0 };
        check(unsafe { sys::trn_stream_anchor_add(self.pointer.0, &anchor.as_c(), &mut id) })?;
        Ok(AnchorId(id))
    }

    /// Moves or resizes an anchor.
    pub fn move_anchor(&mut self, id: AnchorId, anchor: &Anchor) -> Result<()> {
        check(unsafe { sys::trn_stream_anchor_set(self.pointer.0, id.0, &anchor.as_c()) })
    }

    /// Removes an anchor. The next updates unload what no other anchor wants.
    pub fn remove_anchor(&mut self, id: AnchorId) -> Result<()> {
        check(unsafe { sys::trn_stream_anchor_remove(self.pointer.0, id.0) })
    }

    /// Once a frame: applies what workers have finished, and issues the next work, within the default budget of time.
    pub fn update(&mut self) -> Result<Report> {
        let mut report: Report = unsafe { std::mem::zeroed() };
        let result = unsafe { sys::trn_stream_update(self.pointer.0, ptr::null(), &mut report) };
        self.done(result).map(|()| report)
    }

    /// Updates until all views are loaded.
    pub fn settle(&mut self, updates_max: u32) -> Result<()> {
        let result = unsafe { sys::trn_stream_settle(self.pointer.0, updates_max) };
        self.done(result)
    }

    /// Saves all unsaved chunks; [`Save::flush`](crate::Save::flush) then waits for the disk.
    pub fn save(&mut self) -> Result<()> {
        let result = unsafe { sys::trn_stream_save(self.pointer.0) };
        self.done(result)
    }

    /// The light of a voxel, (sky, blocks), each 0 to 15.
    pub fn light_at(&self, voxel: Voxel) -> Result<(u32, u32)> {
        let (mut sky, mut blocks) = (0, 0);
        check(unsafe { sys::trn_stream_get_light(self.pointer.0, c_voxel(voxel), &mut sky, &mut blocks) })?;
        Ok((sky, blocks))
    }

    /// A sentence that says why a chunk is loaded or not.
    pub fn explain(&self, coord: Coord) -> String {
        text(unsafe { sys::trn_stream_explain(self.pointer.0, c_coord(coord)) }.sentence.as_ptr())
    }
}
