use std::ffi::CString;
use std::ptr;

use crate::error::{check, check_library, text};
use crate::{sys, Block, Error, ErrorKind, Handle, Result};

/// What block ids stand for: the built-in blocks, and what texts add. A [`Store`](crate::Store) or a [`Save`](crate::Save) takes it over.
pub struct BlockTypes {
    pub(crate) handle: Handle<sys::TrnBlockTypes>,
}

impl BlockTypes {
    pub fn new() -> Result<BlockTypes> {
        check_library()?;
        let mut types = ptr::null_mut();
        check(unsafe { sys::trn_block_types_create_builtin(ptr::null(), &mut types) })?;
        Ok(BlockTypes { handle: Handle { pointer: types, destroy: sys::trn_block_types_destroy } })
    }

    /// Adds the types of a text, whose format docs/blocks.md describes.
    pub fn load(&mut self, types: &str) -> Result<()> {
        let mut problem: sys::TrnBlockTypesProblem = unsafe { std::mem::zeroed() };
        let result = unsafe { sys::trn_block_types_load(self.handle.pointer, types.as_ptr().cast(), types.len(), &mut problem) };
        match result {
            sys::TRN_RESULT_OK => Ok(()),
            failure => Err(Error::of(failure, Some(text(problem.sentence.as_ptr())))),
        }
    }

    /// The id of a name such as "terrane:stone".
    pub fn id(&self, name: &str) -> Result<Block> {
        let unknown = || Error::new(ErrorKind::NotFound, format!("There is no block \"{}\".", name));
        let mut block = 0;
        let chars = CString::new(name).map_err(|_| unknown())?;
        let result = unsafe { sys::trn_block_types_find(self.handle.pointer, chars.as_ptr(), &mut block) };
        check(result).map(|()| block).map_err(|_| unknown())
    }

    /// The name of a block, or None if no type has this id.
    pub fn name(&self, block: Block) -> Option<String> {
        self.find(block).map(|found| text(found.name))
    }

    /// The colour of a block's face, sRGB, or None.
    pub fn colour(&self, block: Block, face: sys::TrnFace) -> Option<[u8; 3]> {
        self.find(block)?.colour.get(face as usize).copied()
    }

    fn find(&self, block: Block) -> Option<&sys::TrnBlockType> {
        let mut count = 0;
        let all = unsafe { sys::trn_block_types_all(self.handle.pointer, &mut count) };
        unsafe { std::slice::from_raw_parts(all, count as usize) }.get(usize::from(block))
    }
}
