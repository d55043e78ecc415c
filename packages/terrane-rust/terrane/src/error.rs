use std::any::Any;
use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_char;
use std::sync::Once;

use crate::sys;

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is outside the range that its declaration states.
    BadArgument,
    /// The system has no more memory.
    NoMemory,
    /// The coordinate or name is already in use.
    Exists,
    /// Nothing has this coordinate or name; for example the chunk is not loaded.
    NotFound,
    /// The object of the id has been removed.
    StaleId,
    /// A cap is reached, such as [`StreamBuilder::bytes_max`](crate::StreamBuilder::bytes_max).
    Full,
    /// A coordinate is beyond what a part may reach.
    OutOfRange,
    /// Retired memory has reached its bound because a reader stays in its section.
    Readers,
    /// A text or file does not follow its format.
    Corrupt,
    /// The chunk is pinned or open in a batch, work is under way, or another program has the file open.
    Busy,
    /// The system could not read or write a file.
    Io,
    /// A callback of the program panicked.
    Panicked,
    /// The library is of another version than this crate.
    WrongVersion,
    /// A result that this crate does not know.
    Unknown,
}

/// A failure. The object is as it was, unless the call says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    sentence: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(kind: ErrorKind, sentence: impl Into<String>) -> Error {
        Error { kind, sentence: sentence.into() }
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    pub(crate) fn of(result: sys::TrnResult, sentence: Option<String>) -> Error {
        let sentence = sentence.filter(|text| !text.is_empty());
        Error { kind: kind_of(result), sentence: sentence.unwrap_or_else(|| text(unsafe { sys::trn_result_text(result) })) }
    }

    pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> Error {
        let what = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(what), _) => what.to_string(),
            (_, Some(what)) => what.clone(),
            _ => String::from("of no text"),
        };
        Error::new(ErrorKind::Panicked, format!("A callback panicked: {}", what))
    }

    /// The result that tells C of this error.
    pub(crate) fn result(&self) -> sys::TrnResult {
        RESULTS.iter().find(|(kind, _)| *kind == self.kind).map_or(sys::TRN_RESULT_BAD_ARGUMENT, |(_, result)| *result)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {}

const RESULTS: [(ErrorKind, sys::TrnResult); 11] = [
    (ErrorKind::BadArgument, sys::TRN_RESULT_BAD_ARGUMENT),
    (ErrorKind::NoMemory, sys::TRN_RESULT_NO_MEMORY),
    (ErrorKind::Exists, sys::TRN_RESULT_EXISTS),
    (ErrorKind::NotFound, sys::TRN_RESULT_NOT_FOUND),
    (ErrorKind::StaleId, sys::TRN_RESULT_STALE_ID),
    (ErrorKind::Full, sys::TRN_RESULT_FULL),
    (ErrorKind::OutOfRange, sys::TRN_RESULT_OUT_OF_RANGE),
    (ErrorKind::Readers, sys::TRN_RESULT_READERS),
    (ErrorKind::Corrupt, sys::TRN_RESULT_CORRUPT),
    (ErrorKind::Busy, sys::TRN_RESULT_BUSY),
    (ErrorKind::Io, sys::TRN_RESULT_IO),
];

fn kind_of(result: sys::TrnResult) -> ErrorKind {
    RESULTS.iter().find(|(_, known)| *known == result).map_or(ErrorKind::Unknown, |(kind, _)| *kind)
}

pub(crate) fn check(result: sys::TrnResult) -> Result<()> {
    match result {
        sys::TRN_RESULT_OK => Ok(()),
        failure => Err(Error::of(failure, None)),
    }
}

/// As check(), with the library's sentence about this failure.
#[cfg(feature = "save")]
pub(crate) fn check_problem(result: sys::TrnResult, problem: &[c_char]) -> Result<()> {
    match result {
        sys::TRN_RESULT_OK => Ok(()),
        failure => Err(Error::of(failure, Some(text(problem.as_ptr())))),
    }
}

/// A text of the library's, which ends with a zero.
pub(crate) fn text(chars: *const c_char) -> String {
    unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned()
}

/// Fails unless the library is the one that this crate describes. Every object is created after it.
pub(crate) fn check_library() -> Result<()> {
    static ONCE: Once = Once::new();
    static mut MATCHES: bool = false;
    ONCE.call_once(|| unsafe { MATCHES = library_fault(sys::VERSION, sys::STRUCT_BYTES).is_none() });
    if unsafe { MATCHES } {
        return Ok(());
    }
    let fault = library_fault(sys::VERSION, sys::STRUCT_BYTES).unwrap_or_default();
    Err(Error::new(ErrorKind::WrongVersion, fault))
}

fn library_fault(version: &str, structs: &[(&str, usize)]) -> Option<String> {
    let linked = text(unsafe { sys::trn_version() });
    if linked != version {
        return Some(format!("The library is version {}; this crate needs {}.", linked, version));
    }
    let other = structs.iter().enumerate().find(|(place, (_, bytes))| unsafe { sys::trnx_struct_bytes(*place) } != *bytes);
    other.map(|(_, (name, _))| format!("The library has another {}; it was built from other headers than this crate.", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused() {
        assert_eq!(library_fault(sys::VERSION, sys::STRUCT_BYTES), None);
        assert!(library_fault("0.1.9", sys::STRUCT_BYTES).unwrap().contains("0.1.9"));
        let mut structs = sys::STRUCT_BYTES.to_vec();
        structs[3].1 += 8;
        assert!(library_fault(sys::VERSION, &structs).unwrap().contains(structs[3].0));
    }

    #[test]
    fn results_and_kinds_match() {
        for (kind, result) in RESULTS {
            assert_eq!(Error::of(result, None).kind(), kind);
            assert_eq!(Error::new(kind, "").result(), result);
        }
        assert_eq!(Error::of(4000, None).kind(), ErrorKind::Unknown);
    }
}
