use std::cell::Cell;
use std::ffi::CString;
use std::marker::PhantomData;
use std::mem;
use std::ptr;
use std::sync::Arc;

use crate::error::{check, check_problem};
use crate::{c_coord, sys, Block, BlockTypes, Blocks, Coord, Error, ErrorKind, Result};

/// How to open a world's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    Existing,
    New,
    Either,
    ReadOnly,
}

/// The save of the library, with what must live as long.
pub(crate) struct SaveHandle {
    pub pointer: *mut sys::TrnSave,
    types: Arc<BlockTypes>,
}

unsafe impl Send for SaveHandle {} // a stream uses it on any thread
unsafe impl Sync for SaveHandle {}

impl Drop for SaveHandle {
    fn drop(&mut self) {
        unsafe { sys::trn_save_destroy(self.pointer) };
    }
}

/// A world in a file. Pass it to a [`StreamBuilder`](crate::StreamBuilder), or put and get chunks yourself.
pub struct Save {
    pub(crate) handle: Arc<SaveHandle>,
    not_sync: PhantomData<Cell<()>>,
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(ErrorKind::BadArgument, "A text has a zero in it."))
}

impl Save {
    /// Opens a world. Names of blocks that it has and `types` lack become placeholders.
    pub fn open(path: &str, mode: OpenMode, types: BlockTypes) -> Result<Save> {
        let mode = match mode {
            OpenMode::Existing => sys::TRN_STORAGE_OPEN,
            OpenMode::New => sys::TRN_STORAGE_CREATE,
            OpenMode::Either => sys::TRN_STORAGE_EITHER,
            OpenMode::ReadOnly => sys::TRN_STORAGE_READ_ONLY,
        };
        let (path, types) = (c_string(path)?, Arc::new(types));
        let mut def = unsafe { sys::trn_save_def() };
        let mut problem: sys::TrnStorageProblem = unsafe { mem::zeroed() };
        let mut pointer = ptr::null_mut();
        check_problem(unsafe { sys::trn_storage_open(path.as_ptr(), mode, &mut def.storage, &mut problem) }, &problem.sentence)?;
        def.types = types.handle.pointer;
        check_problem(unsafe { sys::trn_save_create(&def, &mut pointer, &mut problem) }, &problem.sentence)?;
        Ok(Save { handle: Arc::new(SaveHandle { pointer, types }), not_sync: PhantomData })
    }

    /// The blocks of the world, for its store.
    pub fn types(&self) -> Arc<BlockTypes> {
        self.handle.types.clone()
    }

    /// Notes which land is generated, and fails if the world was begun with another.
    pub fn bind_land(&self, land: &str) -> Result<()> {
        let land = c_string(land)?;
        let mut problem: sys::TrnStorageProblem = unsafe { mem::zeroed() };
        check_problem(unsafe { sys::trn_save_bind_land(self.handle.pointer, land.as_ptr(), &mut problem) }, &problem.sentence)
    }

    /// Puts a chunk into the queue.
    pub fn put(&self, coord: Coord, blocks: &Blocks) -> Result<()> {
        check(unsafe { sys::trn_save_put(self.handle.pointer, c_coord(coord), 0, blocks.as_ptr(), false) })
    }

    /// Reads a chunk. If the result is a block, it is that block all through. The error NotFound: it was not saved, generate it.
    pub fn get(&self, coord: Coord, blocks: &mut Blocks) -> Result<Option<Block>> {
        let mut uniform = false;
        check(unsafe { sys::trn_save_get(self.handle.pointer, c_coord(coord), 0, blocks.as_mut_ptr(), &mut uniform) })?;
        Ok(if uniform { Some(blocks[0]) } else { None })
    }

    /// Waits until all that was put is on the disk.
    pub fn flush(&self) -> Result<()> {
        check(unsafe { sys::trn_save_flush(self.handle.pointer) })
    }

    /// Stores bytes of the game's own under a name.
    pub fn set_value(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let name = c_string(name)?;
        check(unsafe { sys::trn_save_set_value(self.handle.pointer, name.as_ptr(), bytes.as_ptr().cast(), bytes.len()) })
    }

    /// Reads bytes of a name, or None.
    pub fn get_value(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let name = c_string(name)?;
        let (mut bytes, mut size) = (Vec::new(), 0);
        loop {
            let into = if bytes.is_empty() { ptr::null_mut() } else { bytes.as_mut_ptr() as *mut std::ffi::c_void };
            let result = unsafe { sys::trn_save_get_value(self.handle.pointer, name.as_ptr(), into, bytes.len(), &mut size) };
            if result == sys::TRN_RESULT_NOT_FOUND {
                return Ok(None);
            }
            check(result)?;
            if size <= bytes.len() {
                bytes.truncate(size);
                return Ok(Some(bytes));
            }
            bytes = vec![0; size];
        }
    }
}
