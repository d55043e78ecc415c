//! The C interface of Terrane. The crate `terrane` wraps it safely; the comments here are those of the C headers.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

include!("bindings.rs");
