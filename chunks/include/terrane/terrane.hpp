/// Terrane for C++17 and later: owning handles, results, spans and ranges over the C headers.
///
/// Header-only and thin: a method is one call of the C function of the same name, whose comment
/// states errors, threads and cost. Structs stay those of C (TrnCoord, TrnChunk, TrnStoreDef), and
/// c() returns the pointer for everything that has no method here. The mesher has a wrapper of its
/// own, terrane/mesher.hpp; saves have terrane/save.hpp, shared worlds terrane/shared.hpp. This
/// header includes those of all parts, each of which can be included alone.
///
///     trn::Store store = trn::Store::create().value(); // throws trn::Error on failure
///     store.insert({0, 0, 0}, TRN_BLOCK_STONE).value();
///     for (TrnChunk &chunk : store.gather(trn_box_everything())) {
///         ...
///     }
///
/// Results. What can fail returns a Result: test it and read it with `*`, or call value(), which
/// throws. Nothing else in this header throws, except where it says that it allocates. Without
/// exceptions, or with TRN_HPP_NO_EXCEPTIONS defined, value() is not declared.
///
/// Handles. Store, Index, Terrain, ... own their object: they move, cannot be copied, and destroy
/// it. A class named ...Ref borrows one: it copies like a pointer, and handles convert to it.
///
/// Functions of yours. Where Terrane calls an object of yours (a generator, hooks, a listener), it
/// borrows the object, which must outlive its use. The function returns TrnResult, trn::Status or
/// nothing. No exception crosses the C code: std::bad_alloc becomes NO_MEMORY, trn::Error its
/// result, any other exception CORRUPT.
///
/// Tier: that of the C functions.
#ifndef TERRANE_HPP
#define TERRANE_HPP

#include <terrane/base.hpp>
#include <terrane/chunk_index.hpp>
#include <terrane/edits.hpp>
#include <terrane/fluid.hpp>
#include <terrane/pool.hpp>
#include <terrane/spatial_array.hpp>
#include <terrane/store.hpp>
#include <terrane/stream.hpp>
#include <terrane/terrain.hpp>
#include <terrane/voxels.hpp>

#endif
