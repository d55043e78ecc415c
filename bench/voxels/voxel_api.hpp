/// The one place that says where the voxels of chunks are declared, and the store that they lie in.
#pragma once

#include <terrane/store.h>
#include <terrane/voxels.h>
