use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;

use crate::error::check;
use crate::store::StoreHandle;
use crate::{c_box, c_coord, c_voxel, rust_coord, sys, Block, Blocks, ChunkBox, ChunkId, Coord, Result, Voxel};

/// Reads a store on a thread of its own while another writes. It never waits.
pub struct Reader {
    pointer: *mut sys::TrnChunkReader,
    store: Arc<StoreHandle>,
    found: Vec<*mut sys::TrnChunk>, // of the last gather
    is_reading: bool,
}

unsafe impl Send for Reader {} // one thread at a time uses it, as its methods take &mut self

impl Reader {
    pub(crate) fn new(store: &Arc<StoreHandle>, name: &str) -> Result<Reader> {
        let name = CString::new(name.replace('\0', "")).unwrap_or_default();
        let mut pointer = ptr::null_mut();
        check(unsafe { sys::trn_chunk_index_reader_create(sys::trn_store_index(store.pointer), name.as_ptr(), &mut pointer) })?;
        Ok(Reader { pointer, store: store.clone(), found: Vec::new(), is_reading: false })
    }

    /// Begins a read section. What it finds stays as it is until the section is dropped; keep it short.
    pub fn read(&mut self) -> Section<'_> {
        self.end(); // a section that was forgotten
        unsafe { sys::trn_chunk_index_read_begin(self.pointer) };
        self.is_reading = true;
        Section { reader: self }
    }

    fn end(&mut self) {
        if self.is_reading {
            unsafe { sys::trn_chunk_index_read_end(self.pointer) };
            self.is_reading = false;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        unsafe { sys::trn_chunk_index_reader_destroy(self.pointer) } // ends its section too
    }
}

/// A read section. What it found lives as long.
pub struct Section<'r> {
    reader: &'r mut Reader,
}

impl Drop for Section<'_> {
    fn drop(&mut self) {
        self.reader.end();
    }
}

impl<'r> Section<'r> {
    pub(crate) fn store(&self) -> *mut sys::TrnStore {
        self.reader.store.pointer
    }

    /// The block of a voxel.
    pub fn get_block(&self, voxel: Voxel) -> Result<Block> {
        let (at, mut block) = (c_voxel(voxel), 0);
        check(unsafe { sys::trn_store_get_block_at(self.store(), at.x, at.y, at.z, &mut block) })?;
        Ok(block)
    }

    /// The voxels of a chunk at this moment.
    pub fn snapshot(&self, coord: Coord) -> Result<Snapshot<'_>> {
        let mut word = sys::TrnSnapshot { word: 0 };
        check(unsafe { sys::trn_store_snapshot(self.store(), c_coord(coord), &mut word) })?;
        Ok(Snapshot { word, section: PhantomData })
    }

    /// The loaded chunks of a box. Takes no memory once a gather was as large.
    pub fn gather(&mut self, chunks: ChunkBox) -> Gather<'_> {
        let store = self.store();
        let found = &mut self.reader.found;
        loop {
            let count = unsafe { sys::trn_store_gather(store, c_box(chunks), found.as_mut_ptr(), found.capacity()) };
            if count <= found.capacity() {
                unsafe { found.set_len(count) }; // so many were written
                return Gather { chunks: found.iter() };
            }
            found.clear();
            found.reserve(count);
        }
    }
}

/// The chunks of a gather.
#[derive(Clone)]
pub struct Gather<'s> {
    chunks: std::slice::Iter<'s, *mut sys::TrnChunk>,
}

impl<'s> Iterator for Gather<'s> {
    type Item = Chunk<'s>;

    #[inline]
    fn next(&mut self) -> Option<Chunk<'s>> {
        self.chunks.next().map(|chunk| Chunk { pointer: *chunk, section: PhantomData })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chunks.size_hint()
    }
}

impl ExactSizeIterator for Gather<'_> {}

/// A chunk that a section found.
#[derive(Clone, Copy)]
pub struct Chunk<'s> {
    pointer: *mut sys::TrnChunk,
    section: PhantomData<&'s ()>,
}

impl<'s> Chunk<'s> {
    #[inline]
    pub fn coord(&self) -> Coord {
        rust_coord(unsafe { (*self.pointer).coord })
    }

    pub fn id(&self) -> ChunkId {
        ChunkId(unsafe { (*self.pointer).id })
    }

    pub fn snapshot(&self) -> Snapshot<'s> {
        Snapshot { word: unsafe { sys::trn_voxels_snapshot(ptr::addr_of!((*self.pointer).voxels)) }, section: PhantomData }
    }
}

/// The voxels of a chunk at one moment.
#[derive(Clone, Copy)]
pub struct Snapshot<'s> {
    word: sys::TrnSnapshot,
    section: PhantomData<&'s ()>,
}

impl Snapshot<'_> {
    /// The block of a voxel by its place in the chunk, 0..32 on each axis; higher bits are ignored.
    pub fn get(&self, x: u32, y: u32, z: u32) -> Block {
        unsafe { sys::trn_snapshot_get(self.word, (x & 31) | (z & 31) << 5 | (y & 31) << 10) }
    }

    /// Writes all blocks.
    pub fn decode(&self, blocks: &mut Blocks) {
        unsafe { sys::trn_snapshot_decode(self.word, blocks.as_mut_ptr()) }
    }

    /// The one block of all voxels, if there is only one.
    pub fn uniform(&self) -> Option<Block> {
        if unsafe { sys::trn_snapshot_is_uniform(self.word) } {
            Some(unsafe { sys::trn_snapshot_uniform(self.word) })
        } else {
            None
        }
    }

    /// The revision of the change that made it.
    pub fn revision(&self) -> u64 {
        unsafe { sys::trn_snapshot_revision(self.word) }
    }
}
