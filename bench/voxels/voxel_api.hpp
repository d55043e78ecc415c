/// The one place that says where the voxels of chunks are declared.
#pragma once

#include <terrane/voxels.h>
