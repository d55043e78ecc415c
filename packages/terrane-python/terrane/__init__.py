"""Terrane for Python: voxel worlds with numpy arrays.

`terrane.lib` and `terrane.ffi` are the C functions themselves; docs/bindings.md describes this package.
"""
from ._constants import VERSION as __version__
from ._library import ClosedError, LibraryError, TerraneError, ThreadError, ffi, lib
from .mesh import Light, Mesh, Mesher
from .save import Save
from .store import Batch, BlockTypes, Reader, Store
from .stream import Stream
from .terrain import Generator, Terrain

__all__ = ["Batch", "BlockTypes", "ClosedError", "Generator", "LibraryError", "Light", "Mesh", "Mesher", "Reader", "Save", "Store",
           "Stream", "Terrain", "TerraneError", "ThreadError", "__version__", "ffi", "lib"]
