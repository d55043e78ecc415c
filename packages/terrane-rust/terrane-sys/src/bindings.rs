// Made by tools/bindings/generate.py from packaging/api/terrane.json; change the headers instead.

use std::ffi::c_void;
use std::os::raw::{c_char, c_int};

/// The version that this binding was made for.
pub const VERSION: &str = "0.3.0";

/// The version of the headers. CMake reads it here.
pub const TRN_VERSION_MAJOR: u32 = 0;
/// As TRN_VERSION_MAJOR: its second number.
pub const TRN_VERSION_MINOR: u32 = 3;
/// As TRN_VERSION_MAJOR: its third number.
pub const TRN_VERSION_PATCH: u32 = 0;
/// The version of the headers as one number: 3000 for 0.3.0.
pub const TRN_VERSION_NUMBER: u32 = 3000;
/// The largest sphere of a batch, in voxels.
pub const TRN_SPHERE_RADIUS_MAX: f64 = 1024.0;
/// The most bytes that one voxel may have.
pub const TRN_DATA_BYTES_MAX: u32 = 65536;
/// The most bytes that the voxels of one chunk may have together.
pub const TRN_DATA_CHUNK_BYTES_MAX: u32 = 16777216;
/// The most voxels of a chunk that may have data.
pub const TRN_DATA_VOXELS_MAX: u32 = 4096;
/// types in a registry
pub const TRN_BLOCK_TYPES_MAX: u32 = 65536;
/// bytes in a name, without the zero at its end
pub const TRN_BLOCK_NAME_MAX: u32 = 63;
/// the strongest light
pub const TRN_BLOCK_LIGHT_MAX: u32 = 15;
/// words in a set of blocks, one bit an id
pub const TRN_BLOCK_BITS_WORDS: u32 = 2048;
/// units of TrnBlockBox and TrnBlockType.surface in a voxel
pub const TRN_BLOCK_GRID: u32 = 16;
/// boxes in a model
pub const TRN_BLOCK_BOXES_MAX: u32 = 8;
/// types in a family
pub const TRN_BLOCK_VARIANTS_MAX: u32 = 9;
/// The largest extent of a box along an axis, in voxels.
pub const TRN_BODY_SIZE_MAX: f64 = 64.0;
/// The longest motion of one sweep along an axis, in voxels.
pub const TRN_SWEEP_MAX: f64 = 1024.0;
/// The highest speed along an axis, voxels/s: the longest sweep divided by the longest step. Higher
/// speeds are clamped.
pub const TRN_BODY_SPEED_MAX: f64 = 4096.0;
/// voxels/s
pub const TRN_BODY_WALK_SPEED: f64 = 4.3;
/// voxels/s
pub const TRN_BODY_SWIM_SPEED: f64 = 2.5;
/// voxels/s
pub const TRN_BODY_CLIMB_SPEED: f64 = 3.0;
/// voxels/s: a jump of 1.27 voxels, onto one block but not two
pub const TRN_BODY_JUMP_SPEED: f64 = 9.0;
/// voxels/s^2
pub const TRN_BODY_GRAVITY: f64 = 32.0;
/// The longest step, in seconds. Longer ones are refused: make several.
pub const TRN_BODY_STEP_MAX: f64 = 0.25;
/// The plane of present chunks, which insert and remove maintain.
pub const TRN_PLANE_PRESENT: u32 = 0;
/// Present and 31 of the caller's, so that a set of planes fits 32 bits.
pub const TRN_PLANE_COUNT_MAX: u32 = 32;
/// Means "no chunk" where values are returned in fixed places; cannot be inserted.
pub const TRN_CHUNK_VALUE_NONE: u32 = 4294967295;
/// The bytes of a reader's name with its final zero.
pub const TRN_READER_NAME_BYTES: u32 = 32;
/// A page is a cube of cells; this is log2 of its edge. Page coordinates are chunk coordinates
/// shifted right by it, rounding down.
pub const TRN_PAGE_SHIFT: u32 = 3;
/// Cells along the edge of a page.
pub const TRN_PAGE_EDGE: u32 = 8;
/// Cells of a page.
pub const TRN_PAGE_CELLS: u32 = 512;
/// Words of a plane of a page: one per y.
pub const TRN_PAGE_WORDS: u32 = 8;
/// Bits of such a word: one per x and z.
pub const TRN_PAGE_WORD_BITS: u32 = 64;
/// How many reshapes of its directory an index remembers.
pub const TRN_DIRECTORY_STEPS_MAX: u32 = 16;
/// log2 of the voxels along the edge of a chunk.
pub const TRN_CHUNK_SHIFT: u32 = 5;
/// Voxels along the edge of a chunk.
pub const TRN_CHUNK_EDGE: u32 = 32;
/// Voxels in a chunk.
pub const TRN_CHUNK_VOXELS: u32 = 32768;
/// The lowest coordinate of a voxel in the world, on each axis.
pub const TRN_VOXEL_MIN: i64 = -68719476736;
/// The highest coordinate of a voxel in the world, on each axis.
pub const TRN_VOXEL_MAX: u64 = 68719476735;
/// A chunk and its 26 neighbours: how many chunks that is.
pub const TRN_AROUND_COUNT: u32 = 27;
/// The place of the chunk itself among them.
pub const TRN_AROUND_CENTRE: u32 = 13;
/// The most chunks that a delta's box may hold, loaded or not.
pub const TRN_DELTA_BOX_MAX: u32 = 1048576;
/// The coarsest level of a far view.
pub const TRN_FAR_LEVEL_MAX: u32 = 8;
/// The most chunks that a feature may reach beyond the one where it begins.
pub const TRN_FEATURES_REACH_MAX: u32 = 4;
/// The coarsest level of detail with features.
pub const TRN_FEATURES_LEVEL_MAX: u32 = 4;
/// liquids of a fluid
pub const TRN_FLUID_LIQUIDS_MAX: u32 = 4;
/// reactions of a fluid
pub const TRN_FLUID_REACTIONS_MAX: u32 = 8;
/// the lowest flow
pub const TRN_FLUID_LEVEL_MAX: u32 = 7;
/// the place of the falling block in TrnFluidLiquid.blocks
pub const TRN_FLUID_FALLING: u32 = 8;
/// the farthest that a liquid looks for a drop, in voxels
pub const TRN_FLUID_DROP_MAX: u32 = 5;
/// Coarsest level of detail. Level n samples every 2^n-th voxel along each axis.
pub const TRN_GENERATOR_LEVEL_MAX: u32 = 12;
/// The most stack that any function of Terrane takes, in an optimised build, without functions of
/// the caller's: generating a chunk of the built-in terrain takes that much, encoding one for a
/// stream 100 KiB, everything else 24 KiB or less.
pub const TRN_STACK_BYTES: u32 = 229376;
/// bits of a level
pub const TRN_LIGHT_LEVELS: u32 = 4;
/// voxels an axis: the chunk and its border
pub const TRN_LIGHT_EDGE: u32 = 34;
/// rows along x
pub const TRN_LIGHT_ROWS: u32 = 1156;
/// TrnLight.constant: not all levels are equal
pub const TRN_LIGHT_VARIES: u32 = 255;
/// layers of a noise
pub const TRN_NOISE_OCTAVE_MAX: u32 = 8;
/// layers of a domain warp
pub const TRN_NOISE_WARP_OCTAVE_MAX: u32 = 4;
/// the shortest wavelength of a layer, in voxels
pub const TRN_NOISE_WAVELENGTH_MIN: f64 = 1.0;
/// the longest wavelength of a layer, in voxels
pub const TRN_NOISE_WAVELENGTH_MAX: f64 = 1048576.0;
/// the coarsest level of a grid
pub const TRN_NOISE_LEVEL_MAX: u32 = 31;
/// A grid may begin this many voxels outside the world, since generators sample around chunks.
pub const TRN_NOISE_MARGIN: u32 = 32;
/// The longest ray, in voxels.
pub const TRN_RAY_DISTANCE_MAX: f64 = 1048576.0;
/// Bytes before the user bytes of a chunk. What follows TrnChunk in them is the store's own.
pub const TRN_CHUNK_HEADER_BYTES: u32 = 64;
/// The most chunks of one call of TrnStreamSource.load_many.
pub const TRN_STREAM_LOADS_MAX: u32 = 64;
/// TrnStreamDef.workers: as many as suit the machine.
pub const TRN_STREAM_WORKERS_DEFAULT: u32 = 4294967295;
/// The most workers of a stream.
pub const TRN_STREAM_WORKER_MAX: u32 = 64;
/// The largest radius and height of a view, in chunks.
pub const TRN_STREAM_RADIUS_MAX: u32 = 16384;
/// Voxel y of the topmost layer of water in the sea.
pub const TRN_TERRAIN_SEA_LEVEL: u32 = 0;
/// The newest version of the land, which new worlds get. It rises whenever the same def generates
/// different voxels. A save should store a def's version with it.
pub const TRN_TERRAIN_VERSION: u32 = 5;
/// The oldest version that this library generates. A saved world of an older one keeps what is
/// saved; nothing can be generated around it.
pub const TRN_TERRAIN_VERSION_OLDEST: u32 = 4;
/// Voxel y of the lowest cave or ground surface.
pub const TRN_TERRAIN_LOWEST: i64 = -192;
/// Voxel y of the highest ground. Trees reach 16 voxels higher.
pub const TRN_TERRAIN_HIGHEST: u32 = 320;
/// Coarsest level of detail. Level n samples every 2^n-th voxel.
pub const TRN_TERRAIN_LEVEL_MAX: u32 = 12;
/// voxels drawn in a chunk a step
pub const TRN_TICKS_PER_CHUNK_MAX: u32 = 64;
/// chunks from an anchor along an axis
pub const TRN_TICKS_RADIUS_MAX: u32 = 64;
/// Rows of 32 voxels along x in a chunk. Bit x of row y * 32 + z is the voxel at x, y, z.
pub const TRN_CHUNK_ROWS: u32 = 1024;
/// A revision has 46 bits. Higher bits of a revision argument are cut off.
pub const TRN_REVISION_BITS: u32 = 46;
/// The highest revision.
pub const TRN_REVISION_MAX: u64 = 70368744177663;
/// Half-layers of a chunk: half-layer h is the 16 rows from row 16 * h on, so that y is h / 2.
pub const TRN_CHUNK_HALVES: u32 = 64;
/// rows of a half-layer
pub const TRN_HALF_ROWS: u32 = 16;
/// The most vertices that one quad yields. A plant's leaf yields them: both its sides, for
/// renderers that cull back faces, the front side first. A renderer that draws both sides of a face
/// uses the front alone. Every other quad yields half as many.
pub const TRN_QUAD_VERTICES_MAX: u32 = 8;
/// As TRN_QUAD_VERTICES_MAX: the most indices of one quad.
pub const TRN_QUAD_INDICES_MAX: u32 = 12;
/// The face of a plant's first leaf, from corner (x, z) = (0, 0) to (1, 1). Both leaves are
/// upright, crossed in one voxel, of width and height 1, and visible from both sides.
pub const TRN_QUAD_PLANT_A: u32 = 6;
/// The face of a plant's second leaf, from corner (x, z) = (1, 0) to (0, 1).
pub const TRN_QUAD_PLANT_B: u32 = 7;
/// How far the surface of a liquid lies below the top of its voxel, in voxels, if its type has the
/// usual TrnBlockType.surface of 14.
pub const TRN_LIQUID_DROP: f64 = 0.125;
/// TrnMeshInfo.light of meshes whose light varies; not a TRN_MESH_LIGHT.
pub const TRN_MESH_LIGHT_VARIES: u32 = 1;
/// The size of the scratch memory that one thread needs to mesh. The caller owns it, aligned to 64
/// bytes (trn_aligned_alloc). Its contents mean nothing between calls.
pub const TRN_MESH_SCRATCH_BYTES: u32 = 491520;
/// The most quads that one chunk can show: every face of every voxel, if two liquids alternate like
/// the squares of a checkerboard, or all voxels are cutouts.
pub const TRN_MESH_QUADS_MAX: u32 = 196608;
/// The most opaque quads among them: a checkerboard of a block and air, six faces on every second
/// voxel.
pub const TRN_MESH_OPAQUE_QUADS_MAX: u32 = 98304;
/// The most faces of models that one chunk can show: six for each of eight boxes in every voxel.
pub const TRN_MESH_MODEL_FACES_MAX: u32 = 1572864;
/// a chunk of stone
pub const TRN_VISIBILITY_NONE: u32 = 0;
/// a chunk of air
pub const TRN_VISIBILITY_ALL: u32 = 32767;
/// Bytes in a value's name, without the zero at its end.
pub const TRN_STORAGE_NAME_MAX: u32 = 255;

/// The result of an operation; zero is success. On any other result the object is unchanged and
/// out-parameters are untouched, unless the declaration says otherwise.
pub type TrnResult = u32;
/// Success.
pub const TRN_RESULT_OK: TrnResult = 0;
/// An argument is outside the range that its declaration states.
pub const TRN_RESULT_BAD_ARGUMENT: TrnResult = 1;
/// The allocator returned NULL.
pub const TRN_RESULT_NO_MEMORY: TrnResult = 2;
/// The coordinate or name is already in use.
pub const TRN_RESULT_EXISTS: TrnResult = 3;
/// Nothing has this coordinate or name, or there is nothing to undo or redo.
pub const TRN_RESULT_NOT_FOUND: TrnResult = 4;
/// The id is null, was never issued, or its object has been freed.
pub const TRN_RESULT_STALE_ID: TrnResult = 5;
/// A cap or budget that the caller set is reached.
pub const TRN_RESULT_FULL: TrnResult = 6;
/// A coordinate is beyond the size that the caller set, or beyond what a part may reach.
pub const TRN_RESULT_OUT_OF_RANGE: TrnResult = 7;
/// Retired memory has reached its bound because a reader stays in its read section.
pub const TRN_RESULT_READERS: TrnResult = 8;
/// A text or file does not follow its format.
pub const TRN_RESULT_CORRUPT: TrnResult = 9;
/// The chunk is pinned or open for editing, work is under way, or another program has the file
/// open.
pub const TRN_RESULT_BUSY: TrnResult = 10;
/// The system could not read or write a file.
pub const TRN_RESULT_IO: TrnResult = 11;
/// The number of results; never returned.
pub const TRN_RESULT_COUNT: TrnResult = 12;

/// The six faces of a voxel or chunk. Every array of six in Terrane has this order. face ^ 1 is the
/// opposite face.
pub type TrnFace = u32;
/// west
pub const TRN_FACE_NEG_X: TrnFace = 0;
/// east
pub const TRN_FACE_POS_X: TrnFace = 1;
/// bottom
pub const TRN_FACE_NEG_Y: TrnFace = 2;
/// top
pub const TRN_FACE_POS_Y: TrnFace = 3;
/// north
pub const TRN_FACE_NEG_Z: TrnFace = 4;
/// south
pub const TRN_FACE_POS_Z: TrnFace = 5;
/// the number of faces
pub const TRN_FACE_COUNT: TrnFace = 6;

/// How light and faces treat a block. Only OPAQUE hides the faces of its neighbours.
pub type TrnBlockKind = u32;
/// nothing is drawn
pub const TRN_BLOCK_KIND_AIR: TrnBlockKind = 0;
/// hides everything behind it
pub const TRN_BLOCK_KIND_OPAQUE: TrnBlockKind = 1;
/// drawn after the opaque world; hides faces of its own type only
pub const TRN_BLOCK_KIND_LIQUID: TrnBlockKind = 2;
/// full cubes that are seen through, such as glass
pub const TRN_BLOCK_KIND_TRANSPARENT: TrnBlockKind = 3;
/// crossed leaves in air, or in a liquid (TrnBlockType.liquid)
pub const TRN_BLOCK_KIND_PLANT: TrnBlockKind = 4;
/// full cubes with holes, such as leaves; they keep the faces
pub const TRN_BLOCK_KIND_CUTOUT: TrnBlockKind = 5;
/// boxes (TrnBlockModel), such as slabs, stairs and fences
pub const TRN_BLOCK_KIND_MODEL: TrnBlockKind = 6;
/// how many kinds there are
pub const TRN_BLOCK_KIND_COUNT: TrnBlockKind = 7;
/// id 0 of every registry
pub const TRN_BLOCK_AIR: u32 = 0;
/// most rock
pub const TRN_BLOCK_STONE: u32 = 1;
/// below grass
pub const TRN_BLOCK_DIRT: u32 = 2;
/// ground of grassland
pub const TRN_BLOCK_GRASS: u32 = 3;
/// beaches, sea beds and deserts
pub const TRN_BLOCK_SAND: u32 = 4;
/// shores, sea beds and tundra
pub const TRN_BLOCK_GRAVEL: u32 = 5;
/// ground of cold land and peaks
pub const TRN_BLOCK_SNOW: u32 = 6;
/// a liquid
pub const TRN_BLOCK_WATER: u32 = 7;
/// on cold seas; opaque
pub const TRN_BLOCK_ICE: u32 = 8;
/// steep ground of deserts
pub const TRN_BLOCK_SANDSTONE: u32 = 9;
/// a layer of rock
pub const TRN_BLOCK_SLATE: u32 = 10;
/// a layer of rock
pub const TRN_BLOCK_LIMESTONE: u32 = 11;
/// a layer of rock
pub const TRN_BLOCK_GRANITE: u32 = 12;
/// ground of swamps
pub const TRN_BLOCK_MUD: u32 = 13;
/// ground of forests
pub const TRN_BLOCK_FOREST_FLOOR: u32 = 14;
/// ground of savannas
pub const TRN_BLOCK_DRY_GRASS: u32 = 15;
/// ground of tundra
pub const TRN_BLOCK_MOSS: u32 = 16;
/// veins in rock
pub const TRN_BLOCK_COAL_ORE: u32 = 17;
/// veins in rock
pub const TRN_BLOCK_IRON_ORE: u32 = 18;
/// veins in rock
pub const TRN_BLOCK_GOLD_ORE: u32 = 19;
/// trunk of an oak
pub const TRN_BLOCK_OAK_LOG: u32 = 20;
/// crown of an oak
pub const TRN_BLOCK_OAK_LEAVES: u32 = 21;
/// trunk of a pine
pub const TRN_BLOCK_PINE_LOG: u32 = 22;
/// crown of a pine
pub const TRN_BLOCK_PINE_LEAVES: u32 = 23;
/// trunk of an acacia
pub const TRN_BLOCK_ACACIA_LOG: u32 = 24;
/// crown of an acacia
pub const TRN_BLOCK_ACACIA_LEAVES: u32 = 25;
/// grows in deserts
pub const TRN_BLOCK_CACTUS: u32 = 26;
/// a plant
pub const TRN_BLOCK_TALL_GRASS: u32 = 27;
/// a plant
pub const TRN_BLOCK_FLOWER: u32 = 28;
/// a plant
pub const TRN_BLOCK_DEAD_BUSH: u32 = 29;
/// a plant
pub const TRN_BLOCK_REEDS: u32 = 30;
/// not in the terrain
pub const TRN_BLOCK_GLASS: u32 = 31;
/// not in the terrain; not solid, and bodies climb in it
pub const TRN_BLOCK_SCAFFOLD: u32 = 32;
/// not in the terrain; emits light 14
pub const TRN_BLOCK_LANTERN: u32 = 33;
/// not in the terrain; emits light 11
pub const TRN_BLOCK_GLOWING_STONE: u32 = 34;
/// in deep caves; a liquid that emits light 15
pub const TRN_BLOCK_LAVA: u32 = 35;
/// variant 1 of water
pub const TRN_BLOCK_WATER_FLOW: u32 = 36;
/// variant 1 of lava
pub const TRN_BLOCK_LAVA_FLOW: u32 = 44;
/// the first of what follows: to build with
pub const TRN_BLOCK_OAK_PLANKS: u32 = 52;
/// a cutout
pub const TRN_BLOCK_BIRCH_LEAVES: u32 = 55;
/// 8 turns, as all slabs
pub const TRN_BLOCK_STONE_SLAB: u32 = 57;
/// 8 turns, as all stairs
pub const TRN_BLOCK_STONE_STAIRS: u32 = 121;
/// connects
pub const TRN_BLOCK_OAK_FENCE: u32 = 185;
/// connects
pub const TRN_BLOCK_STONE_WALL: u32 = 188;
/// connects
pub const TRN_BLOCK_GLASS_PANE: u32 = 193;
/// 4 turns; then open, 4 turns
pub const TRN_BLOCK_OAK_DOOR: u32 = 195;
/// 4 turns
pub const TRN_BLOCK_OAK_LADDER: u32 = 219;
/// emits light 14
pub const TRN_BLOCK_TORCH: u32 = 223;
/// 4 turns; emits light 14
pub const TRN_BLOCK_WALL_TORCH: u32 = 224;
/// emits light 14
pub const TRN_BLOCK_STANDING_LANTERN: u32 = 228;
/// the first of three
pub const TRN_BLOCK_RED_CARPET: u32 = 229;
/// the first of four stages
pub const TRN_BLOCK_WHEAT: u32 = 232;
/// emits light 14
pub const TRN_BLOCK_HANGING_LANTERN: u32 = 236;
/// trunk of an aspen
pub const TRN_BLOCK_ASPEN_LOG: u32 = 237;
/// crown of an aspen
pub const TRN_BLOCK_ASPEN_LEAVES: u32 = 238;
/// crown of a willow
pub const TRN_BLOCK_WILLOW_LEAVES: u32 = 239;
/// crown of a palm
pub const TRN_BLOCK_PALM_LEAVES: u32 = 240;
/// fallen trunks, dead trees
pub const TRN_BLOCK_DEAD_WOOD: u32 = 241;
/// a plant
pub const TRN_BLOCK_FERN: u32 = 242;
/// a plant
pub const TRN_BLOCK_RED_FLOWER: u32 = 243;
/// a plant
pub const TRN_BLOCK_BLUE_FLOWER: u32 = 244;
/// a plant
pub const TRN_BLOCK_WHITE_FLOWER: u32 = 245;
/// the first of what imported worlds are made of
pub const TRN_BLOCK_WHITE_WOOL: u32 = 246;
/// rock of wet caves
pub const TRN_BLOCK_TUFF: u32 = 326;
/// beds of pools
pub const TRN_BLOCK_CLAY: u32 = 338;
/// rock of dry caves
pub const TRN_BLOCK_DRIPSTONE: u32 = 339;
/// below crystals
pub const TRN_BLOCK_AMETHYST: u32 = 340;
/// rock of deep caves
pub const TRN_BLOCK_BASALT: u32 = 343;
/// floors of deep caves
pub const TRN_BLOCK_BLACKSTONE: u32 = 344;
/// around lava; emits light 3
pub const TRN_BLOCK_MAGMA: u32 = 387;
/// emits light 7
pub const TRN_BLOCK_LICHEN_FLAT: u32 = 622;
/// of dripstone
pub const TRN_BLOCK_SPIKE: u32 = 658;
/// in wet caves; emits light 9
pub const TRN_BLOCK_GLOWING_MOSS: u32 = 666;
/// sea beds
pub const TRN_BLOCK_RIPPLED_SAND: u32 = 667;
/// warm sea beds
pub const TRN_BLOCK_RED_CORAL: u32 = 668;
/// warm sea beds
pub const TRN_BLOCK_YELLOW_CORAL: u32 = 669;
/// warm sea beds
pub const TRN_BLOCK_VIOLET_CORAL: u32 = 670;
/// the tip of a spike
pub const TRN_BLOCK_STALAGMITE: u32 = 671;
/// the tip of a spike, downwards
pub const TRN_BLOCK_STALACTITE: u32 = 672;
/// emits light 11
pub const TRN_BLOCK_CRYSTAL_CLUSTER: u32 = 673;
/// a plant in water
pub const TRN_BLOCK_KELP: u32 = 674;
/// a plant in water
pub const TRN_BLOCK_SEA_GRASS: u32 = 675;
/// the number of built-in types; a game's own ids begin here
pub const TRN_BLOCK_BUILTIN_COUNT: u32 = 676;

/// How the 16 numbers of a matrix lie in memory. The matrix multiplies columns: clip = matrix *
/// position. A library that multiplies rows (position * matrix) and stores rows, such as
/// DirectXMath, has TRN_MATRIX_COLUMNS.
pub type TrnMatrixOrder = u32;
/// column by column, as OpenGL, GLM and cglm store them
pub const TRN_MATRIX_COLUMNS: TrnMatrixOrder = 0;
/// row by row
pub const TRN_MATRIX_ROWS: TrnMatrixOrder = 1;
/// the number of orders
pub const TRN_MATRIX_ORDER_COUNT: TrnMatrixOrder = 2;

/// Which depths of clip space are inside a frustum. Reversed depth has the same region: the near
/// and the far plane change places.
pub type TrnClipDepth = u32;
/// -1..1, as in OpenGL
pub const TRN_CLIP_DEPTH_MINUS_ONE: TrnClipDepth = 0;
/// 0..1, as in Vulkan, Direct3D, Metal and WebGPU
pub const TRN_CLIP_DEPTH_ZERO: TrnClipDepth = 1;
/// the number of ranges
pub const TRN_CLIP_DEPTH_COUNT: TrnClipDepth = 2;

/// The result of trn_voxels_code.
pub type TrnVoxelCode = u32;
/// the blocks became a code
pub const TRN_VOXEL_CODE_CODED: TrnVoxelCode = 0;
/// no code: all blocks are equal to the first
pub const TRN_VOXEL_CODE_UNIFORM: TrnVoxelCode = 1;
/// no code: there are more than 256 types
pub const TRN_VOXEL_CODE_BLOCKS: TrnVoxelCode = 2;

/// What becomes of data when its block changes.
pub type TrnDataRule = u32;
/// it is removed
pub const TRN_DATA_WITH_BLOCK: TrnDataRule = 0;
/// it stays until a call removes it
pub const TRN_DATA_STAYS: TrnDataRule = 1;
/// the number of rules
pub const TRN_DATA_RULE_COUNT: TrnDataRule = 2;

/// What an event tells.
pub type TrnEventKind = u32;
/// chunks were inserted
pub const TRN_EVENT_INSERTED: TrnEventKind = 0;
/// voxels of chunks changed
pub const TRN_EVENT_CHANGED: TrnEventKind = 1;
/// chunks were removed or evicted
pub const TRN_EVENT_REMOVED: TrnEventKind = 2;

/// Whether a chunk is loaded, and if not, why.
pub type TrnChunkState = u32;
/// in the store
pub const TRN_CHUNK_STATE_LOADED: TrnChunkState = 0;
/// not loaded, and not in the log of the last 1024 chunks that left
pub const TRN_CHUNK_STATE_UNKNOWN: TrnChunkState = 1;
/// by trn_store_remove
pub const TRN_CHUNK_STATE_REMOVED: TrnChunkState = 2;
/// by trn_store_evict
pub const TRN_CHUNK_STATE_EVICTED: TrnChunkState = 3;
/// the last insert failed
pub const TRN_CHUNK_STATE_REFUSED: TrnChunkState = 4;
/// the number of states
pub const TRN_CHUNK_STATE_COUNT: TrnChunkState = 5;

/// What happens to edits of chunks that are not loaded.
pub type TrnUnloadedPolicy = u32;
/// they become pending
pub const TRN_UNLOADED_PENDING: TrnUnloadedPolicy = 0;
/// they are skipped
pub const TRN_UNLOADED_SKIP: TrnUnloadedPolicy = 1;
/// NOT_FOUND, and the batch fails
pub const TRN_UNLOADED_FAIL: TrnUnloadedPolicy = 2;
/// the number of policies
pub const TRN_UNLOADED_COUNT: TrnUnloadedPolicy = 3;

/// What an event of a stream tells.
pub type TrnStreamEventKind = u32;
/// a chunk was inserted into the store
pub const TRN_STREAM_EVENT_LOADED: TrnStreamEventKind = 0;
/// a chunk's current mesh is shown
pub const TRN_STREAM_EVENT_SHOWN: TrnStreamEventKind = 1;
/// a chunk was removed from the store
pub const TRN_STREAM_EVENT_UNLOADED: TrnStreamEventKind = 2;
/// a chunk's changes were saved
pub const TRN_STREAM_EVENT_SAVED: TrnStreamEventKind = 3;
/// A hook failed; see stage and result. Running out of memory shrinks views instead.
pub const TRN_STREAM_EVENT_FAILED: TrnStreamEventKind = 4;
/// An anchor's view lost a ring because memory is short; coord is its centre, ring the number
/// of rings left.
pub const TRN_STREAM_EVENT_SHRANK: TrnStreamEventKind = 5;
/// an anchor's view gained a ring
pub const TRN_STREAM_EVENT_GREW: TrnStreamEventKind = 6;
/// a worker thread could not be started
pub const TRN_STREAM_EVENT_NO_WORKER: TrnStreamEventKind = 7;

/// What the stream measures the time of.
pub type TrnStreamStage = u32;
/// the whole of trn_stream_update
pub const TRN_STREAM_STAGE_UPDATE: TrnStreamStage = 0;
/// moving, growing and shrinking views, in the updates that do
pub const TRN_STREAM_STAGE_VIEW: TrnStreamStage = 1;
/// the load hook
pub const TRN_STREAM_STAGE_LOAD: TrnStreamStage = 2;
/// the generate hook
pub const TRN_STREAM_STAGE_GENERATE: TrnStreamStage = 3;
/// inserting into the store
pub const TRN_STREAM_STAGE_INSERT: TrnStreamStage = 4;
/// the mesh hook
pub const TRN_STREAM_STAGE_MESH: TrnStreamStage = 5;
/// the upload hook
pub const TRN_STREAM_STAGE_UPLOAD: TrnStreamStage = 6;
/// the save hook
pub const TRN_STREAM_STAGE_SAVE: TrnStreamStage = 7;
/// the unload hook and removing from the store
pub const TRN_STREAM_STAGE_UNLOAD: TrnStreamStage = 8;
/// from wanted until loaded
pub const TRN_STREAM_STAGE_WANTED_TO_LOADED: TrnStreamStage = 9;
/// from wanted until first shown
pub const TRN_STREAM_STAGE_WANTED_TO_SHOWN: TrnStreamStage = 10;
/// from an edit until all meshes that it touches are shown
pub const TRN_STREAM_STAGE_EDIT_TO_SHOWN: TrnStreamStage = 11;
/// the number of stages
pub const TRN_STREAM_STAGE_COUNT: TrnStreamStage = 12;

/// How far a chunk has come.
pub type TrnStreamState = u32;
/// not loaded, and in no view
pub const TRN_STREAM_STATE_UNKNOWN: TrnStreamState = 0;
/// waits to be loaded or generated
pub const TRN_STREAM_STATE_QUEUED: TrnStreamState = 1;
/// a worker loads or generates it, or its result waits
pub const TRN_STREAM_STATE_GENERATING: TrnStreamState = 2;
/// in the store, without a mesh
pub const TRN_STREAM_STATE_LOADED: TrnStreamState = 3;
/// waits to be meshed
pub const TRN_STREAM_STATE_MESH_QUEUED: TrnStreamState = 4;
/// a worker meshes it, or its result waits
pub const TRN_STREAM_STATE_MESHING: TrnStreamState = 5;
/// its current mesh is shown
pub const TRN_STREAM_STATE_SHOWN: TrnStreamState = 6;
/// a hook failed; retried later
pub const TRN_STREAM_STATE_FAILED: TrnStreamState = 7;
/// being saved, then unloads
pub const TRN_STREAM_STATE_SAVING: TrnStreamState = 8;
/// the number of states
pub const TRN_STREAM_STATE_COUNT: TrnStreamState = 9;

/// What a chunk waits for.
pub type TrnStreamWait = u32;
/// it is what it should be
pub const TRN_STREAM_WAIT_NOTHING: TrnStreamWait = 0;
/// an anchor comes nearer, or its view grows
pub const TRN_STREAM_WAIT_VIEW: TrnStreamWait = 1;
/// its turn in the queue
pub const TRN_STREAM_WAIT_QUEUE: TrnStreamWait = 2;
/// a hook, or the calling thread to apply its result
pub const TRN_STREAM_WAIT_WORKER: TrnStreamWait = 3;
/// neighbours to load
pub const TRN_STREAM_WAIT_NEIGHBOURS: TrnStreamWait = 4;
/// the other meshes of an edit
pub const TRN_STREAM_WAIT_GROUP: TrnStreamWait = 5;
/// the next try after a failure
pub const TRN_STREAM_WAIT_RETRY: TrnStreamWait = 6;
/// its turn to unload
pub const TRN_STREAM_WAIT_UNLOAD: TrnStreamWait = 7;
/// the number of these
pub const TRN_STREAM_WAIT_COUNT: TrnStreamWait = 8;

/// A priority of the queue.
pub type TrnStreamLane = u32;
/// the ground under an anchor, then meshes of edits
pub const TRN_STREAM_LANE_URGENT: TrnStreamLane = 0;
/// within 60 degrees of an anchor's direction of view, or near it
pub const TRN_STREAM_LANE_VISIBLE: TrnStreamLane = 1;
/// all other work
pub const TRN_STREAM_LANE_REST: TrnStreamLane = 2;
/// the number of lanes
pub const TRN_STREAM_LANE_COUNT: TrnStreamLane = 3;

/// What a noise computes.
pub type TrnNoiseKind = u32;
/// Fractal sum of gradient noise layers, each `gain` times as strong as the one before, scaled
/// to [-1, 1]. Slope and curvature are continuous. Standard deviation: 0.30 in 2D and 0.22 in
/// 3D for one layer, 0.19 and 0.14 for four.
pub const TRN_NOISE_FRACTAL: TrnNoiseKind = 0;
/// Ridged fractal: ridges where layers cross zero; finer ridges appear only on coarser ones. In
/// [0, 1].
pub const TRN_NOISE_RIDGED: TrnNoiseKind = 1;
/// Worley's F1: distance to the nearest feature point, in wavelengths. Each lattice cell holds
/// one point. In [0, 1.74].
pub const TRN_NOISE_CELL_DISTANCE: TrnNoiseKind = 2;
/// Worley's F2 - F1: how much farther the second nearest point is. 0 on the borders between
/// cells. In [0, 1.74].
pub const TRN_NOISE_CELL_BORDER: TrnNoiseKind = 3;
/// The number of kinds.
pub const TRN_NOISE_KIND_COUNT: TrnNoiseKind = 4;

/// Why a ray ended.
pub type TrnRayEnd = u32;
/// nothing stopped it within distance_max
pub const TRN_RAY_END_DISTANCE: TrnRayEnd = 0;
/// a block in its stop set
pub const TRN_RAY_END_BLOCK: TrnRayEnd = 1;
/// a chunk that is not loaded
pub const TRN_RAY_END_UNLOADED: TrnRayEnd = 2;
/// the end of the world
pub const TRN_RAY_END_WORLD: TrnRayEnd = 3;

/// Biome of a voxel column, selected by temperature and moisture.
pub type TrnTerrainBiome = u32;
/// also lakes and rivers
pub const TRN_TERRAIN_BIOME_SEA: TrnTerrainBiome = 0;
/// mild, with some trees
pub const TRN_TERRAIN_BIOME_GRASSLAND: TrnTerrainBiome = 1;
/// mild or cool, and moist
pub const TRN_TERRAIN_BIOME_FOREST: TrnTerrainBiome = 2;
/// hot and dry
pub const TRN_TERRAIN_BIOME_DESERT: TrnTerrainBiome = 3;
/// hot, with some moisture
pub const TRN_TERRAIN_BIOME_SAVANNA: TrnTerrainBiome = 4;
/// cold
pub const TRN_TERRAIN_BIOME_TUNDRA: TrnTerrainBiome = 5;
/// peaks, and land too cold for tundra
pub const TRN_TERRAIN_BIOME_SNOW: TrnTerrainBiome = 6;
/// low and wet
pub const TRN_TERRAIN_BIOME_SWAMP: TrnTerrainBiome = 7;
/// the number of biomes
pub const TRN_TERRAIN_BIOME_COUNT: TrnTerrainBiome = 8;

/// How quads are drawn. A mesh keeps the quads of a surface together, in this order.
pub type TrnMeshSurface = u32;
/// cubes that hide what is behind them
pub const TRN_MESH_SURFACE_OPAQUE: TrnMeshSurface = 0;
/// cubes with holes, such as leaves: alpha-tested
pub const TRN_MESH_SURFACE_CUTOUT: TrnMeshSurface = 1;
/// crossed leaves
pub const TRN_MESH_SURFACE_PLANT: TrnMeshSurface = 2;
/// liquids, glass, ice: drawn after everything else
pub const TRN_MESH_SURFACE_TRANSPARENT: TrnMeshSurface = 3;
/// how many surfaces there are
pub const TRN_MESH_SURFACE_COUNT: TrnMeshSurface = 4;
/// opaque quads, by TrnFace
pub const TRN_MESH_OPAQUE: u32 = 0;
/// cutout quads, by TrnFace
pub const TRN_MESH_CUTOUT: u32 = 6;
/// leaves of plants
pub const TRN_MESH_PLANTS: u32 = 12;
/// transparent quads, by TrnFace
pub const TRN_MESH_TRANSPARENT: u32 = 13;
/// the number of groups
pub const TRN_MESH_GROUP_COUNT: u32 = 19;

/// How to open an SQLite storage.
pub type TrnStorageMode = u32;
/// an existing file
pub const TRN_STORAGE_OPEN: TrnStorageMode = 0;
/// a new file; EXISTS if there is one that is not empty
pub const TRN_STORAGE_CREATE: TrnStorageMode = 1;
/// an existing file, or a new one
pub const TRN_STORAGE_EITHER: TrnStorageMode = 2;
/// an existing file, which others may write meanwhile
pub const TRN_STORAGE_READ_ONLY: TrnStorageMode = 3;

/// Which chunks are saved.
pub type TrnSaveWhat = u32;
/// Those that were shown and are not uniform, and those with changes. The world keeps its land
/// when the generator changes.
pub const TRN_SAVE_SHOWN: TrnSaveWhat = 0;
/// Those with changes alone. Smaller, and bound to the land that the generator makes now: see
/// trn_save_bind_land.
pub const TRN_SAVE_CHANGED: TrnSaveWhat = 1;

/// What becomes of a chunk whose row is damaged. Its bytes are kept in quarantine either way.
pub type TrnSaveDamaged = u32;
/// it is generated again
pub const TRN_SAVE_GENERATE_DAMAGED: TrnSaveDamaged = 0;
/// loading it fails with CORRUPT
pub const TRN_SAVE_REFUSE_DAMAGED: TrnSaveDamaged = 1;

/// What happened.
pub type TrnSaveEventKind = u32;
/// a chunk's row was damaged, and is in quarantine; or its pending edits were, and are left out
pub const TRN_SAVE_EVENT_DAMAGED: TrnSaveEventKind = 0;
/// a transaction failed; the save tries again
pub const TRN_SAVE_EVENT_WRITE_FAILED: TrnSaveEventKind = 1;
/// the first that succeeded after that
pub const TRN_SAVE_EVENT_WRITE_AGAIN: TrnSaveEventKind = 2;
/// the storage could not read a chunk
pub const TRN_SAVE_EVENT_READ_FAILED: TrnSaveEventKind = 3;

/// A block id. 0 is air.
pub type TrnBlock = u16;

/// Names a plane: 0 is TRN_PLANE_PRESENT, the others follow in the order of the def.
pub type TrnPlane = u32;

/// Names a chunk as long as it is loaded. All zeroes is the null id.
pub type TrnChunkId = TrnPoolId;

/// Identifies an anchor until it is removed. All zeroes is the null id.
pub type TrnStreamAnchorId = TrnPoolId;

/// One rectangle of faces, 8 bytes. From the lowest bit:
///     bit  field     bits
///      0   x         5     local coordinates of the rectangle's lowest voxel
///      5   y         5
///     10   z         5
///     15   width-1   5     voxels along the first axis of the face (see trn_quad_axes)
///     20   height-1  5     voxels along the second axis
///     25   face      3     a TrnFace, TRN_QUAD_PLANT_A or TRN_QUAD_PLANT_B
///     28   ao        8     ambient occlusion, see below
///     36   block    16
///     52   user     8      the game's own byte, 0 without TrnMeshInput.user_bytes
///     60   free     4      always 0
/// The ao of opaque and cutout quads holds two bits a corner: 3 is unoccluded, 0 is darkest. The
/// corners are in the order (0,0), (1,0), (0,1), (1,1) of the face's two axes. The ao of plants is
/// 255. That of transparent quads is 255, or of a liquid's part of a face (trn_quad_drop in bits
/// 0..3, trn_quad_start in bits 4..7).
pub type TrnQuad = u64;

/// One bit for each of the 15 pairs of faces: set if a path of non-opaque voxels connects them. Two
/// voxels connect if they share a face. Small enough to store with every chunk.
pub type TrnVisibility = u16;

/// Called after a change is published, on the writer's thread, before the call that made the change
/// returns. It may do what the writer may, except destroy the store. Changes that it makes are
/// published at once; their events are queued behind those of the current change. The queue is
/// processed in rounds, each of which dispatches the events that the one before it caused. Events
/// count as missed after the 64th round, and beyond 65,536 in the third and later rounds together.
/// @return OK, or any error if it could not handle the event: the change stands, and the next event
/// reports it as missed
pub type TrnListener = unsafe extern "C" fn(store: *mut TrnStore, event: *const TrnStoreEvent, user: *mut c_void) -> TrnResult;

/// Generates one chunk. The result must depend on `user`, `coord` and `level` alone, not on the
/// thread, the order or the number of calls: an unloaded chunk must come back the same, and
/// adjacent chunks are generated independently.
/// @param user     TrnGenerator.user
/// @param coord    the chunk; it covers 32 * 2^level voxels along each axis and begins at voxel
///                 coord * 32 * 2^level. Level n has chunks INT32_MIN / 2^n .. INT32_MAX / 2^n
///                 along each axis, level 0 the whole int32 range.
/// @param level    0..TrnGenerator.level_max; local voxel i samples the voxel i * 2^level after the
///                 chunk's first
/// @param blocks   [TRN_CHUNK_VOXELS], x fastest, then z, then y (trn_local_index): receives ids of
///                 block types of the world that the chunk is for. Not initialised on entry. Unless
///                 `uniform` is set, all must be written. Owned by the caller.
/// @param uniform  receives whether every voxel is the same block; then only blocks[0] is read.
///                 Must be written on success. Setting it is optional but saves time: set it where
///                 it is known for free, such as above the land.
/// @return OK, or the reason why there is no chunk, such as NO_MEMORY; the caller then ignores the
/// out-parameters
/// Threads: several may call it at once with the same `user`; the generator synchronises its own
/// state.
pub type TrnGenerateFn = unsafe extern "C" fn(user: *mut c_void, coord: TrnCoord, level: u32, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult;

/// Receives events, for tools. Called on the calling thread, inside calls of the stream, and of the
/// store when another caller changes it. It must change neither.
pub type TrnStreamListener = unsafe extern "C" fn(user: *mut c_void, event: *const TrnStreamEvent);

/// Draws a chunk's mesh from now on, or stops. A mesh that the upload hook gets is not drawn until
/// this says so; a mesh that replaces another is drawn if that was. Also called for chunks without
/// a mesh. A chunk that is unloaded is no longer drawn: the unload hook tells, and this does not.
/// What takes its place is drawn just before. Must change no store, stream or far view. Runs on the
/// calling thread, inside trn_stream_update, trn_far_update and other calls that change a store,
/// and inside trn_far_create, trn_far_set_view and trn_far_destroy.
/// @param level  0..TrnFarView.levels
/// @param chunk  of that level's store
pub type TrnFarDraw = unsafe extern "C" fn(user: *mut c_void, level: u32, chunk: *mut TrnChunk, is_drawn: bool);

/// Called for each voxel. May edit the batch, and read it with trn_batch_get; must not change the
/// store in another way.
/// @return OK; anything else discards the batch and ends the step with this result
pub type TrnTickFn = unsafe extern "C" fn(user: *mut c_void, batch: *mut TrnBatch, tick: *const TrnTick) -> TrnResult;

/// Receives a row, valid until it returns. It must not call the storage.
/// @return false to stop
pub type TrnStorageRowVisitor = unsafe extern "C" fn(user: *mut c_void, row: *const TrnStorageRow) -> bool;

/// Receives a value, as TrnStorageRowVisitor.
pub type TrnStorageValueVisitor = unsafe extern "C" fn(user: *mut c_void, value: *const TrnStorageValue) -> bool;

/// Receives a sentence of SQLite's about a part of the file that is out of order.
pub type TrnStorageFaultVisitor = unsafe extern "C" fn(user: *mut c_void, sentence: *const c_char);

/// Where an object allocates its memory. The object copies the struct at creation; `user` must
/// outlive the object.
/// Threads: called on every thread that calls the object.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnAllocator {
    /// Allocates `bytes` (never 0), aligned to `alignment` (a power of two). Contents are
    /// undefined. Returns NULL if there is no memory.
    pub alloc: Option<unsafe extern "C" fn(bytes: usize, alignment: usize, user: *mut c_void) -> *mut c_void>,
    /// Frees memory of alloc (never NULL). `bytes` is the size that alloc was asked for.
    pub free: Option<unsafe extern "C" fn(memory: *mut c_void, bytes: usize, user: *mut c_void)>,
    /// Passed to both functions.
    pub user: *mut c_void,
}

/// The coordinate of a chunk.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnCoord {
    /// east
    pub x: i32,
    /// up
    pub y: i32,
    /// south
    pub z: i32,
}

/// A box of chunks; both corners are inclusive. It is empty if min exceeds max on any axis.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBox {
    /// the lowest corner
    pub min: TrnCoord,
    /// the highest corner
    pub max: TrnCoord,
}

/// The coordinate of a voxel in the world. Each axis lies in [TRN_VOXEL_MIN, TRN_VOXEL_MAX].
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnVoxel {
    /// east
    pub x: i64,
    /// up
    pub y: i64,
    /// south
    pub z: i64,
}

/// A point, for cameras, rays and bodies: a chunk, and an offset from its lowest corner. The offset
/// stays small, so positions are equally precise everywhere in the world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPosition {
    /// the chunk that contains the point
    pub chunk: TrnCoord,
    /// x, y, z in voxels, each in [0, 32)
    pub offset: [f64; 3],
}

/// One box of a model.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBlockBox {
    /// lowest corner along x, y, z, in units of 1/16 voxel, 0..15
    pub min: [u8; 3],
    /// highest corner, above min, at most 16
    pub max: [u8; 3],
    /// Bit f, a TrnFace: the box is there only if the voxel next to side f connects: it is opaque,
    /// or of a model with the same `connects`. 0: it is always there.
    pub connected: u8,
    /// the same of sides that must not connect
    pub unconnected: u8,
    /// as TrnBlockType.colour
    pub colour: [[u8; 3]; 6],
    /// as TrnBlockType.layer
    pub layer: [u16; 6],
}

/// The shape of a MODEL. The boxes that are there must not overlap.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBlockModel {
    /// 1..TRN_BLOCK_BOXES_MAX
    pub box_count: u32,
    /// Models connect to opaque blocks and to models with the same number. 0: never; no box may
    /// have `connected` or `unconnected` then.
    pub connects: u8,
    /// [box_count]
    pub boxes: [TrnBlockBox; 8],
}

/// One type of block.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBlockType {
    /// "namespace:name": one colon with one or more of [a-z0-9_./-] on both sides, at most
    /// TRN_BLOCK_NAME_MAX bytes
    pub name: *const c_char,
    /// how it is drawn and what it hides
    pub kind: TrnBlockKind,
    /// bodies collide with it
    pub is_solid: bool,
    /// bodies climb in it, such as a ladder or a vine
    pub is_climbable: bool,
    /// a placeholder for a type that a save names and this game does not know
    pub is_unknown: bool,
    /// light that it emits, 0..TRN_BLOCK_LIGHT_MAX
    pub light: u8,
    /// Levels that light loses in it, 0..TRN_BLOCK_LIGHT_MAX, in addition to the one that each
    /// voxel costs. No light enters an opaque block, whatever this says.
    pub dims: u8,
    /// sRGB, by TrnFace
    pub colour: [[u8; 3]; 6],
    /// layer of the game's texture array, by TrnFace; 0: no texture, only the colour
    pub layer: [u16; 6],
    /// MODEL: its shape; in a registry valid as long as the type. Otherwise NULL.
    pub model: *const TrnBlockModel,
    /// LIQUID: the height of its surface under air, in 1/16 voxel, 1..16. Otherwise 16.
    pub surface: u8,
    /// random ticks visit its voxels
    pub ticks: bool,
    /// The first type of its family, and which of the family it is. A family is one block in
    /// several forms: the turns of a model (0..3, a quarter turn each, then 4..7, upside down), or
    /// a liquid (0 the source, 1..7 ever lower flows, 8 falling). Set by the registry; a type that
    /// has no family is its own, variant 0.
    pub family: TrnBlock,
    /// see family
    pub variant: u8,
    /// PLANT: the liquid that it stands in, a type of the registry with variant 0, which fills the
    /// rest of its voxel: its faces are drawn, bodies swim in it, and it flows out. Or
    /// TRN_BLOCK_AIR.
    pub liquid: TrnBlock,
}

/// The block types of one world. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnBlockTypes {
    _private: [u8; 0],
}

/// A problem with a text of block types, and its position.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBlockTypesProblem {
    /// from 1; 0 if the problem has no position in the text
    pub line: usize,
    /// from 1, in bytes; 0 if the problem has no position in the text
    pub column: usize,
    /// what is wrong and what to do; always printable ASCII
    pub sentence: [c_char; 256],
}

/// A pool. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnPool {
    _private: [u8; 0],
}

/// Names a slot for as long as it is taken. All zeroes is the null id, which names no slot.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPoolId {
    /// slot index plus one
    pub index1: u32,
    /// odd while the slot is taken; wraps after 2^31 reuses of one slot
    pub generation: u32,
}

/// Start from trn_pool_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPoolDef {
    /// 1..2^30; rounded up to a multiple of slot_alignment. If you mostly touch the first bytes of
    /// each slot, an odd number of cache lines (320 rather than 256) spreads them over all cache
    /// sets: walking 100,000 such slots took half the time.
    pub slot_bytes: usize,
    /// power of two, 8..4096
    pub slot_alignment: usize,
    /// Slots per block, at most 2^20, rounded up to a power of two; 0 means blocks of about 256
    /// KiB. The default allocator requests huge pages for blocks of 2 MiB or more.
    pub block_slots: u32,
    /// maximum taken slots; 0 means no limit
    pub slot_max: u32,
    /// If not 0: reserves addresses for this many slots from the system, not from the allocator, so
    /// that slot addresses follow from their indices without a table. Memory is committed block by
    /// block, as slots are allocated, and decommitted with empty blocks. Where the system refuses,
    /// on 32-bit systems, and for further slots, blocks come from the allocator. In a range a block
    /// is at least a page.
    pub reserve_slots: u32,
    /// Called for each taken slot that is freed, or still taken when the pool is destroyed; may be
    /// NULL. By then the slot's id is stale; the slot is not reused before the call returns. May
    /// free other slots of the pool and, except during trn_pool_destroy, allocate some. Must not
    /// walk or destroy the pool.
    pub destroy: Option<unsafe extern "C" fn(slot: *mut c_void, user: *mut c_void)>,
    /// passed to destroy
    pub user: *mut c_void,
    /// copied; NULL means malloc
    pub allocator: *const TrnAllocator,
}

/// Statistics of a pool.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPoolStats {
    /// slots
    pub taken: u32,
    /// as in the def; 0 means no limit
    pub slot_max: u32,
    /// allocated, empty ones included
    pub blocks: u32,
    /// slots in each block
    pub block_slots: u32,
    /// from one slot to the next
    pub slot_bytes: usize,
    /// memory in use: tables and blocks; of a range, what is committed
    pub bytes: usize,
    /// addresses of the range; 0 without one
    pub reserved_bytes: usize,
}

/// An index. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnChunkIndex {
    _private: [u8; 0],
}

/// A registered reader of an index, for one thread at a time. Opaque.
#[repr(C)]
pub struct TrnChunkReader {
    _private: [u8; 0],
}

/// A plane of the caller's: loaded, dirty, shown, wanted, ...
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPlaneDef {
    /// copied; at most 31 bytes, unique, not "present"
    pub name: *const c_char,
    /// Whether a chunk's bit stays when the chunk is removed; otherwise removal clears it.
    pub survives_removal: bool,
}

/// Start from trn_chunk_index_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnChunkIndexDef {
    /// [plane_count] in addition to TRN_PLANE_PRESENT; copied
    pub planes: *const TrnPlaneDef,
    /// 0..31
    pub plane_count: u32,
    /// maximum pages, 1..2^31; beyond it writes return FULL
    pub page_max: u32,
    /// readers that may be registered at the same time, 0..256
    pub reader_max: u32,
    /// Maximum size of the directory in bytes. Pages outside it become outlier pages.
    pub directory_bytes_max: usize,
    /// Maximum retired memory in bytes. Beyond it, writes that would retire more return READERS
    /// until the slow reader leaves its section. What a single write retires may exceed it: a page
    /// and a directory, or all pages for trn_chunk_index_clear.
    pub retired_bytes_max: usize,
    /// Key of the hash that finds outlier pages. 0 draws a random one, so that no player can choose
    /// coordinates that make it slow; set your own only to repeat measurements exactly. No result
    /// and no order depends on it.
    pub hash_key: u64,
    /// Copied. NULL means malloc, and for blocks of 2 MiB and more address ranges of the system.
    pub allocator: *const TrnAllocator,
}

/// A condition on the planes of a coordinate and of its neighbours. Each field is a set of planes,
/// made of TRN_PLANE_BITs; an empty set imposes no condition.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPlaneQuery {
    /// all of these are set here; must not be empty
    pub all: u32,
    /// at least one of these is set here
    pub any: u32,
    /// none of these is set here
    pub none: u32,
    /// each of these is set at all six neighbours
    pub all_faces: u32,
    /// each of these is set at all 26 neighbours
    pub all_around: u32,
}

/// A convex region: where all planes a x + b y + c z + d are at least 0, in chunks from the lowest
/// corner of `origin`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFrustum {
    /// where the planes' coordinates begin
    pub origin: TrnCoord,
    /// [count] a, b, c, d of each plane
    pub planes: [[f64; 4]; 6],
    /// 0..6
    pub count: u32,
}

/// What to gather, and where to write it. With only a box and an output set, gathers all chunks of
/// the box. Caller owns all arrays.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnChunkGather {
    /// both corners inclusive; an empty box holds nothing
    pub box_: TrnBox,
    /// only chunks that reach into it; NULL for no condition
    pub frustum: *const TrnFrustum,
    /// Only coordinates that satisfy it; an empty `all` means TRN_PLANE_PRESENT.
    pub planes: TrnPlaneQuery,
    /// [capacity] receives values; may be NULL
    pub values: *mut u32,
    /// [capacity] receives coordinates; may be NULL
    pub coords: *mut TrnCoord,
    /// [capacity] receives the addresses of the values' pool slots; may be NULL
    pub pointers: *mut *mut c_void,
    /// [capacity] receives the ids of the values' pool slots; may be NULL
    pub ids: *mut TrnPoolId,
    /// for pointers and ids: value v is the slot of index1 v + 1
    pub pool: *const TrnPool,
    /// of each array, in elements
    pub capacity: usize,
}

/// Statistics of an index.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnChunkIndexStats {
    /// present
    pub chunks: usize,
    /// of either form, outlier pages included
    pub pages: usize,
    /// chunks per cell of the pages
    pub fill: f64,
    /// in pages; an empty box if it has no cells
    pub directory: TrnBox,
    /// pages that fit into the directory's box
    pub directory_cells: usize,
    /// pages in the outlier hash
    pub outliers: usize,
    /// how often the directory was reshaped
    pub directory_growths: u32,
    /// all memory, retired memory included
    pub bytes: usize,
    /// of the pages, those that list their chunks
    pub sparse_pages: usize,
    /// of the bytes, those for full pages
    pub full_page_bytes: usize,
    /// and those for sparse pages
    pub sparse_page_bytes: usize,
    /// kept only for readers
    pub retired_bytes: usize,
    /// set bits per plane
    pub plane_counts: [usize; 32],
}

/// A heap. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnVoxelHeap {
    _private: [u8; 0],
}

/// The voxels of one chunk. All zeroes is a uniform chunk of air at revision 0. Opaque: read it
/// through a snapshot.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnVoxels {
    pub word: u64,
}

/// The voxels of a chunk at one moment. Valid until the reader ends its section; on the writer
/// thread until the chunk is changed, compacted or removed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSnapshot {
    /// as TrnVoxels.word
    pub word: u64,
}

/// A block and the number of its voxels.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBlockCount {
    /// its id
    pub block: TrnBlock,
    /// 1..32768
    pub count: u16,
}

/// Settings of a heap. Start from trn_voxel_heap_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnVoxelHeapDef {
    /// Which blocks are solid: [TRN_BLOCK_BITS_WORDS], from trn_block_types_solid_bits(). Borrowed:
    /// must outlive the heap; do not change the bit of a block that some chunk contains. NULL:
    /// every block except 0 is.
    pub solid_bits: *const u32,
    /// Which blocks are opaque: as solid_bits, from trn_block_types_opaque_bits().
    pub opaque_bits: *const u32,
    /// The most bytes that the heap may hold from the allocator, including its own tables and
    /// retired payloads; 0 means no cap.
    pub bytes_max: usize,
    /// The most bytes of block data and its tables (TrnVoxelHeapStats.data_bytes). New data that
    /// would exceed it is refused with FULL; 0 means no cap.
    pub data_bytes_max: usize,
    /// The index whose readers may see payloads. Borrowed, outlives the heap. NULL: there are no
    /// readers, and replaced payloads are freed at once.
    pub index: *mut TrnChunkIndex,
    /// For an allocator with a shared cap. When the allocator returns NULL, this tells whether the
    /// cap was the reason; the call then fails with FULL or READERS, as for bytes_max. Borrowed.
    /// NULL: the allocator has no cap.
    pub is_capped: *const bool,
    /// copied; NULL means malloc
    pub allocator: *const TrnAllocator,
}

/// Figures of a heap.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnVoxelHeapStats {
    /// in use: by chunks, by open edits, retired
    pub payloads: u32,
    /// in them
    pub payload_bytes: usize,
    /// of these, taken ahead by the stream and not yet part of a chunk
    pub slots: u32,
    /// of these, kept until no reader sees them
    pub retired_payloads: u32,
    /// in retired payloads, with block data that no chunk has any more
    pub retired_bytes: usize,
    /// unused payload memory inside blocks, ready for the next payloads
    pub free_bytes: usize,
    /// of block data and its tables (terrane/block_data.h)
    pub data_bytes: usize,
    /// held from the allocator
    pub bytes: usize,
    /// the highest `bytes` so far
    pub bytes_peak: usize,
    /// as in the def
    pub bytes_max: usize,
}

/// A series of changes to one chunk, published together. The memory is the caller's, 1.2 KiB; the
/// content is private, and a copy of the struct is no edit. While an edit is open, no other edit
/// and no other call may change its chunk. Edits of several chunks may be open together.
///
/// Errors of all calls that change blocks: NO_MEMORY, FULL, READERS as trn_voxels_encode, and
/// BAD_ARGUMENT (also if the edit is not open). The blocks are as before the call then. The first
/// call that changes a block makes the private copy.
/// Threads: the writer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnVoxelEdit {
    /// private
    pub storage: [u64; 150],
}

/// The data of one voxel.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBlockData {
    /// [size] aligned to 8; valid as long as the snapshot that it came from
    pub bytes: *const c_void,
    /// 0..TRN_DATA_BYTES_MAX
    pub size: u32,
    /// linear index of the voxel in its chunk (trn_local_index)
    pub index: u16,
    /// as it was set
    pub rule: TrnDataRule,
}

/// Receives the block data of one chunk, from code that loads or generates it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnDataSink {
    /// Receives the data of one voxel. @param data  copied
    /// Errors: BAD_ARGUMENT, FULL (beyond the limits of a chunk), NO_MEMORY, and the sink's own.
    pub set: Option<unsafe extern "C" fn(user: *mut c_void, data: *const TrnBlockData) -> TrnResult>,
    /// passed to set
    pub user: *mut c_void,
}

/// A store. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnStore {
    _private: [u8; 0],
}

/// One loaded chunk. Read coord and id, and take snapshots of voxels; never write. The address is
/// valid until the chunk is removed; for a reader that found it before, until its section ends.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnChunk {
    /// where it is
    pub coord: TrnCoord,
    /// names it until it is removed
    pub id: TrnChunkId,
    /// read with trn_voxels_snapshot(&chunk->voxels)
    pub voxels: TrnVoxels,
}

/// Start from trn_store_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStoreDef {
    /// The most chunks, including removed ones that readers or listeners still see. 0 means none.
    pub chunk_max: u32,
    /// The most bytes that the store allocates for everything together: headers, voxels, index, own
    /// block types, batches, pending edits, undo, and what is kept for readers. Memory blocks count
    /// in full when they are allocated or committed; addresses that are only reserved do not count.
    /// An allocation that would exceed it fails with FULL, or with READERS where retired memory
    /// waits for a reader. 0 means none. An empty store takes some 180 KiB, the first chunk 300 KiB
    /// more, since headers come in blocks.
    pub bytes_max: usize,
    /// The most bytes of block data in the loaded chunks, 1 GiB by default, so that a world that a
    /// stranger made cannot fill the memory with data that compresses to nothing. Data that would
    /// exceed it is refused with FULL, and a chunk with it is not loaded. 0 means none.
    pub data_bytes_max: usize,
    /// the most registered readers, 0..256
    pub reader_max: u32,
    /// Headers of chunks lie in an address range of the system's, where gathers compute addresses
    /// instead of looking them up; memory is committed in it as chunks are inserted. By default it
    /// has addresses for 16 million chunks, at most 4 GiB, or there is none if you pass an
    /// allocator of your own. If not 0, it has addresses for this many chunks, whatever the
    /// allocator. Where the system refuses the range, on 32-bit systems, and for further chunks,
    /// headers come from the allocator.
    pub chunk_reserve: u32,
    /// your own with every chunk (trn_chunk_user); at most 64 KiB
    pub user_bytes: usize,
    /// [plane_count] your own bit planes over the chunks; copied
    pub planes: *const TrnPlaneDef,
    /// 0..31
    pub plane_count: u32,
    /// What the block ids stand for; borrowed, outlives the store. NULL: the store owns a registry
    /// with the built-in types.
    pub types: *mut TrnBlockTypes,
    /// The key of the hashes in which coordinates are found: far chunks and pending edits. 0 draws
    /// one from the system, so that no player can craft coordinates that are slow to find. No
    /// result and no order depends on it.
    pub hash_key: u64,
    /// copied; NULL means malloc
    pub allocator: *const TrnAllocator,
}

/// The block data of a voxel, with the place of the voxel.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnVoxelData {
    /// where it is
    pub voxel: TrnVoxel,
    /// valid as trn_store_get_data says
    pub data: TrnBlockData,
}

/// A chunk that a cursor has looked up.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnCursorChunk {
    /// of its lowest voxel
    pub x: u64,
    /// of its lowest voxel
    pub y: u64,
    /// of its lowest voxel
    pub z: u64,
    /// NULL if it is not loaded
    pub voxels: *const TrnVoxels,
}

/// Reads voxels one after the other, and looks a chunk up only when the next voxel is in none of
/// the chunks read last. Create it with trn_cursor(); the fields are the library's. On a reader's
/// thread valid until the section ends, on the writer's until a chunk is inserted or removed.
/// Changes of voxels show at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnCursor {
    /// the chunk of the last voxel
    pub now: TrnCursorChunk,
    /// the store that it reads
    pub store: *const TrnStore,
    /// A cache by the lowest bits of x, z and y: all eight chunks that meet at a corner fit.
    pub cache: [TrnCursorChunk; 8],
}

/// One chunk of an event.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnEventChunk {
    /// where it is or was
    pub coord: TrnCoord,
    /// Which of the 27 chunks around must be derived again (mesh, light): the chunk itself, and the
    /// neighbours that touch a changed voxel with a face, edge or corner. Bits in the order of
    /// trn_store_snapshot_around(). All bits for inserted and removed chunks.
    pub around: u32,
    /// stale for a removed chunk
    pub id: TrnChunkId,
    /// The chunk. A removed one is not in the index any more, but it and its snapshots can be read
    /// until the listener returns. For other kinds NULL where an earlier listener removed it.
    pub chunk: *mut TrnChunk,
    /// CHANGED: which of the 27 chunks around must be lit again, also those farther than `around`:
    /// trn_light_reach(). 0 unless a stream with TrnStreamDef.light is attached.
    pub light: u32,
    /// CHANGED: whether block data was set or removed (terrane/block_data.h). If nothing else
    /// changed, `around` is the chunk itself.
    pub has_data_changed: bool,
    /// INSERTED: how many pending runs the chunk took up (terrane/batch.h). If any, it is not what
    /// was loaded or generated, and needs saving.
    pub applied: u32,
}

/// One change: of one chunk, of all chunks of a batch of edits, or of chunks that a stream inserts
/// or removes together, in that order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStoreEvent {
    /// what happened to all its chunks
    pub kind: TrnEventKind,
    /// REMOVED by trn_store_evict
    pub is_eviction: bool,
    /// of the change; when REMOVED, of the last change before it
    pub revision: u64,
    /// at least 1
    pub count: u32,
    /// [count]; valid until the listener returns
    pub chunks: *const TrnEventChunk,
    /// If has_missed: this listener missed changes after this revision, since it failed, memory for
    /// their events ran out, or listeners kept changing the store. trn_store_changed_since() names
    /// the chunks, except removed ones.
    pub missed_since: u64,
    /// whether missed_since is set
    pub has_missed: bool,
}

/// Told of the voxels of each chunk that changes, which events do not tell, and asked before a
/// chunk is removed. Its functions are called on the writer's thread and must not change the store.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStoreWatch {
    /// Called just before the new voxels of a loaded chunk are published. Only events report
    /// inserted and removed chunks. NULL: not told.
    pub changing: Option<unsafe extern "C" fn(user: *mut c_void, coord: TrnCoord, before: TrnSnapshot, after: TrnSnapshot)>,
    /// passed to both
    pub user: *mut c_void,
    /// the store's own
    pub next: *mut TrnStoreWatch,
    /// Called before a chunk is removed or evicted, for example to save it; the removal may still
    /// fail for another reason. NULL: not asked.
    /// @return OK; any other result keeps the chunk loaded, and is that of the call that would have
    /// removed it
    pub removing: Option<unsafe extern "C" fn(user: *mut c_void, chunk: *const TrnChunk) -> TrnResult>,
    /// Asked whether this store is where the world moves by itself in a chunk: where liquids flow
    /// (terrane/fluid.h) and random ticks happen (terrane/ticks.h). In a world that several
    /// programs share, one does so for each chunk (terrane/member.h). Both skip the chunk unless
    /// all watches agree. NULL: everywhere.
    pub owns: Option<unsafe extern "C" fn(user: *mut c_void, coord: TrnCoord) -> bool>,
    /// The store's own: the change that `changing` is told of is made by liquids or random ticks.
    pub is_self_moved: bool,
}

/// Which chunks to evict, and when to stop. With all but one of the first two zero: the least
/// recently touched chunks, until the store uses, or has allocated, at most that many bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnEviction {
    /// Stops once TrnStoreStats.used_bytes is at most this: for a game that keeps within its budget
    /// frame by frame. 0: used bytes do not stop it.
    pub used_bytes: usize,
    /// Stops once the allocated bytes are at most this, not counting memory that waits for readers
    /// or listeners, so that one slow reader does not empty the store. A memory block is freed only
    /// when all chunks in it are evicted, and chunks of one age lie in many blocks: to free a
    /// quarter of the memory, two thirds to nine tenths of all chunks had to go. 0: allocated bytes
    /// do not stop it.
    pub bytes: usize,
    /// stops after this many chunks; 0 means no limit
    pub count_max: u32,
    /// Chunks of greater values are evicted first; of negative values or NaN, never. Must not
    /// change the store. Looks at all chunks for every 512 that go. NULL: the least recently
    /// touched or inserted first, and of those that one call touched the one named first; a change
    /// counts as naming until the next call of trn_store_touch(). Chunks that an eviction passed by
    /// because they were pinned or open go before all others once they are not.
    pub order: Option<unsafe extern "C" fn(chunk: *const TrnChunk, user: *mut c_void) -> f64>,
    /// passed to order
    pub user: *mut c_void,
}

/// What a store knows of a coordinate.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnExplanation {
    /// whether its chunk is loaded
    pub state: TrnChunkState,
    /// REFUSED: the result of the insert
    pub refusal: TrnResult,
    /// LOADED: of the last change. Otherwise the store's when the chunk was removed or refused; 0
    /// when UNKNOWN.
    pub revision: u64,
    /// LOADED: header with user bytes, payload, and block data
    pub bytes: usize,
    /// LOADED: a voxel, 0 for uniform
    pub bits: u32,
    /// trn_store_pin minus trn_store_unpin
    pub pins: u32,
    /// open for editing in a batch
    pub is_open: bool,
    /// LOADED: calls of trn_store_touch since one named it
    pub untouched: u32,
    /// ored TRN_PLANE_BITs of the coordinate, also where no chunk is loaded
    pub planes: u32,
    /// runs of edits that are pending for the chunk
    pub pending_runs: u32,
    /// The name of the reader that delays the reclaim of memory for longest, or "".
    pub slowest_reader: [c_char; 32],
    /// what matters of this, for a person
    pub sentence: [c_char; 256],
}

/// Figures of a store. Bytes are what it has allocated, by category.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStoreStats {
    /// loaded
    pub chunks: u32,
    /// less those that an open edit has changed
    pub uniform_chunks: u32,
    /// removed, and kept only for readers
    pub retired_chunks: u32,
    /// replaced or removed voxels, kept only for readers
    pub retired_payloads: u32,
    /// as trn_store_revision()
    pub revision: u64,
    /// chunks so far
    pub inserted: u64,
    /// chunks so far, without evicted ones
    pub removed: u64,
    /// chunks so far
    pub evicted: u64,
    /// inserts so far that failed for memory or a cap
    pub refused: u64,
    /// subscribed
    pub listeners: u32,
    /// calls of listeners
    pub events: u64,
    /// calls of listeners that failed or were not made
    pub missed_events: u64,
    /// of chunks; of their address range what is committed
    pub header_bytes: usize,
    /// of the voxel heap, block data included
    pub voxel_bytes: usize,
    /// of the chunk index
    pub index_bytes: usize,
    /// of block types of its own
    pub type_bytes: usize,
    /// the store itself, its list of changes, listeners, events and log
    pub bookkeeping_bytes: usize,
    /// batches, pending edits, histories, fluids, ticks
    pub attached_bytes: usize,
    /// the sum of these
    pub total_bytes: usize,
    /// the highest total_bytes so far
    pub total_bytes_peak: usize,
    /// as in the def
    pub bytes_max: usize,
    /// part of total_bytes that is kept only for readers
    pub retired_bytes: usize,
    /// Part of total_bytes that is in use: without free slots in blocks of headers and voxels, and
    /// without memory that waits to be freed.
    pub used_bytes: usize,
}

/// Changes of one or more chunks that are published together.
#[repr(C)]
pub struct TrnBatch {
    _private: [u8; 0],
}

/// Undo and redo of batches: terrane/history.h.
#[repr(C)]
pub struct TrnHistory {
    _private: [u8; 0],
}

/// Start from trn_batch_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBatchDef {
    /// what happens to edits of chunks that are not loaded
    pub unloaded: TrnUnloadedPolicy,
    /// of the same store; NULL: the batch cannot be undone
    pub history: *mut TrnHistory,
}

/// What a commit did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBatchOutcome {
    /// of the change; the store's current one if no chunk changed
    pub revision: u64,
    /// loaded chunks whose voxels differ now
    pub changed_chunks: u32,
    /// in them; counted only with a history, otherwise 0
    pub changed_voxels: u64,
    /// voxels whose block data differs now; counted as changed_voxels
    pub changed_data: u64,
    /// unloaded chunks for which edits of this batch are pending now
    pub pending_chunks: u32,
    /// Unloaded chunks whose edits were skipped, each counted once a call, up to UINT32_MAX.
    pub skipped_chunks: u32,
}

/// Voxels of one chunk in linear order that an edit sets to one block.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPendingRun {
    /// linear index of the first voxel
    pub first: u16,
    /// of the last, inclusive
    pub last: u16,
    /// what they become
    pub block: TrnBlock,
}

/// Figures of the batches, pending edits and histories of a store. Their bytes, and a few hundred
/// of their own, are TrnStoreStats.attached_bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnEditsStats {
    /// begun, neither committed nor cancelled
    pub open_batches: u32,
    /// unloaded chunks with pending edits
    pub pending_chunks: u32,
    /// runs of voxels in them
    pub pending_runs: u64,
    /// runs applied to inserted chunks so far
    pub applied_runs: u64,
    /// open batches; the copies of voxels that they edit are voxel_bytes
    pub batch_bytes: usize,
    /// pending edits, those of open batches included
    pub pending_bytes: usize,
    /// all histories
    pub history_bytes: usize,
    /// as trn_pending_set_bytes_max
    pub pending_bytes_max: usize,
}

/// What a box or a point overlaps.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnOverlap {
    /// a solid block
    pub solid: bool,
    /// a liquid
    pub liquid: bool,
    /// a block that bodies climb in
    pub climbable: bool,
    /// a chunk that is not loaded, or space outside the world
    pub unloaded: bool,
    /// if solid: the first such voxel, x fastest, then z, then y
    pub first_solid: TrnVoxel,
    /// Height of the highest overlapped liquid above the bottom of the box, at most the box's
    /// height, in voxels.
    pub liquid_depth: f64,
}

/// How a sweep ended.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSweep {
    /// final position of the middle of the bottom face
    pub bottom: TrnPosition,
    /// sides of the box that were stopped; TRN_FACE_NEG_Y: it landed
    pub hit: [bool; 6],
    /// Whether a chunk that is not loaded, or the end of the world, stopped one of the sides, with
    /// no solid block at the same place.
    pub unloaded: bool,
    /// whether it ended higher because it climbed steps
    pub stepped: bool,
    /// how much higher, in voxels; 0 if not stepped
    pub step_height: f64,
}

/// How bodies of one kind move. Start from trn_body_def(). Speeds are 0..TRN_BODY_SPEED_MAX,
/// accelerations 0..1e6.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBodyDef {
    /// x, y, z: each above 0, at most TRN_BODY_SIZE_MAX
    pub size: [f64; 3],
    /// climbs this high without jumping, as in trn_store_sweep; 0..size[1]
    pub step_height: f64,
    /// voxels/s^2, downwards
    pub gravity: f64,
    /// terminal velocity, voxels/s
    pub fall_speed_max: f64,
    /// voxels/s, at full input
    pub walk_speed: f64,
    /// voxels/s upwards: jumps reach jump_speed^2 / (2 * gravity)
    pub jump_speed: f64,
    /// towards the input's speed, on the ground, voxels/s^2
    pub ground_acceleration: f64,
    /// the same in the air
    pub air_acceleration: f64,
    /// voxels/s, in all directions, in a liquid
    pub swim_speed: f64,
    /// 1/s, 0..1000: how fast a liquid brings a body to its swimming speed, or to rest. Each step
    /// divides the difference by 1 + drag * seconds (implicit Euler). For short steps that is
    /// exp(-drag * seconds), but without libm and so identical on every machine. At 0 bodies cannot
    /// swim.
    pub liquid_drag: f64,
    /// Voxels/s^2 upwards when fully submerged, proportional to the submerged part of the height.
    /// Above gravity the body floats, at rest with gravity / buoyancy of its height submerged.
    pub buoyancy: f64,
    /// voxels/s up and down a ladder, and sideways on it
    pub climb_speed: f64,
}

/// One body. Set position, zero the rest; copy and save it freely. The next step depends only on
/// position, velocity and hit.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBody {
    /// the middle of the bottom face
    pub position: TrnPosition,
    /// voxels/s, each within TRN_BODY_SPEED_MAX
    pub velocity: [f64; 3],
    /// stands on a block, touching it exactly
    pub on_ground: bool,
    /// at least a tenth of its height is submerged
    pub in_liquid: bool,
    /// fully submerged
    pub under_liquid: bool,
    /// overlaps a block that bodies climb in
    pub on_ladder: bool,
    /// Stopped by a chunk that is not loaded, or by the end of the world, and it keeps its
    /// velocity. Without this a body would fall forever where the ground is not loaded yet.
    pub waits: bool,
    /// sides that were stopped in the last step
    pub hit: [bool; 6],
    /// how far the last step climbed at once: for smoothing a camera
    pub step_height: f64,
}

/// What a player or an AI asks of a body in one step.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnBodyInput {
    /// Direction times the part of full speed, 0..1; longer vectors are cut to length 1. y counts
    /// in liquids and on ladders. Finite.
    pub walk: [f64; 3],
    /// On the ground: jumps (no coyote time: off the ground it does not). In a liquid: swims up.
    /// At the surface, if the last step was stopped sideways: leaps onto the shore, as high above
    /// the surface as a jump above the ground. (A swimming body does not stand on the ground, so
    /// step_height does not bring it ashore.) On a ladder: climbs up.
    pub jump: bool,
    /// On the ground, and on the way down a step: does not walk over an edge higher than
    /// step_height. On a ladder: stays in place.
    pub sneak: bool,
}

/// One page.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnPageFigures {
    /// its lowest chunk
    pub chunk: TrnCoord,
    /// in the outlier hash, outside the directory
    pub is_outlier: bool,
    /// lists its chunks, because they are few
    pub is_sparse: bool,
    /// Set bits of each plane, 0..TRN_PAGE_CELLS; 0 for planes that do not exist.
    pub counts: [u16; 32],
}

/// A reshape of the directory: it grew, shrank, was reserved or cleared.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnDirectoryStep {
    /// 1 for the first reshape of the index, and so on
    pub number: u64,
    /// in pages, before the reshape; an empty box for no directory
    pub from: TrnBox,
    /// in pages, after the reshape; an empty box for no directory
    pub to: TrnBox,
    /// in the directory before the reshape
    pub pages: usize,
    /// Microseconds it took, over all the calls that built it; 0 for trn_chunk_index_clear.
    pub us: f64,
}

/// A chunk of a base: its voxels and block data at one moment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnDeltaBase {
    /// its place
    pub coord: TrnCoord,
    /// valid as any snapshot (terrane/voxels.h)
    pub snapshot: TrnSnapshot,
}

/// What a delta did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnDeltaOutcome {
    /// of the store afterwards
    pub revision: u64,
    /// chunks
    pub inserted: u32,
    /// loaded chunks that the delta has voxels or data of
    pub changed: u32,
    /// chunks
    pub removed: u32,
}

/// A source of voxels for a world. A small value to copy; all zeros is not a generator.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnGenerator {
    /// generates one chunk
    pub generate: Option<TrnGenerateFn>,
    /// passed to its functions; borrowed: must outlive its use
    pub user: *mut c_void,
    /// Coarsest level it generates, 0..TRN_GENERATOR_LEVEL_MAX; 0 means level 0 alone.
    pub level_max: u32,
    /// If has_ceiling: the highest chunk of level 0 that it makes anything but air in. Light from
    /// the sky falls from there on, so a stream with light (TrnStreamDef.light) needs it to know
    /// what shades a chunk before the chunks above are loaded.
    pub ceiling: i32,
    /// whether `ceiling` is set
    pub has_ceiling: bool,
}

/// The levels of a chunk and of the voxels at its border.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnLight {
    /// The level of every voxel, or TRN_LIGHT_VARIES.
    pub constant: u8,
    /// Unless it is constant: bit b of the levels of 34 voxels along x. The row of local y and z is
    /// (y + 1) * 34 + z + 1; the voxel of local x is its bit x + 1.
    pub planes: [[u64; 1156]; 4],
}

/// Memory to solve with: 1.6 MiB, of which a chunk touches what its surroundings need. Opaque; the
/// caller creates and destroys it.
#[repr(C)]
pub struct TrnLightSolver {
    _private: [u8; 0],
}

/// A stream. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnStream {
    _private: [u8; 0],
}

/// What a hook works on. Hooks read the fields and never write them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamJob {
    /// the chunk
    pub coord: TrnCoord,
    /// Level of detail: the chunk covers 32 << level voxels an axis. 0, except in a far view.
    pub level: u32,
    /// Index of the caller's scratch: 0 on the calling thread, 1..workers on the others. No two
    /// hooks that run at the same time share one.
    pub worker: u32,
    /// Receives the block data of the chunk that a hook loads or generates: call
    /// trn_stream_job_set_data. NULL: it is not asked for.
    pub data: *const TrnDataSink,
    /// of trn_stream_mesh_hash
    pub hash_key: u64,
}

/// A mesh as the stream knows it: an address owned by the game, and its size.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamMesh {
    /// NULL: nothing to see
    pub mesh: *mut c_void,
    /// its size, for the budget; read again after upload
    pub bytes: usize,
    /// Of all that the upload hook shows, as trn_stream_mesh_hash() returns it: a mesh with the
    /// hash of the chunk's shown mesh is dropped, and not uploaded. 0: always uploaded.
    pub hash: u64,
}

/// What a mesh is built from.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamMeshInput {
    /// The chunk, [13], and its 26 neighbours in the order of trn_store_snapshot_around. Valid
    /// until the hook returns.
    pub around: [TrnSnapshot; 27],
    /// Bit i: around[i] is loaded. All are, except those beyond the ends of the world.
    pub present: u32,
    /// light of the sky; NULL unless TrnStreamDef.light
    pub sky: *const TrnLight,
    /// light that blocks emit; NULL unless TrnStreamDef.light
    pub blocks: *const TrnLight,
}

/// What the game provides. Every hook may be NULL; generate only where there is a generator.
/// Without mesh, the stream only loads chunks. Any result except OK, and NOT_FOUND from load,
/// counts as a failure. The stream retries after 8 updates, then 16, doubling up to 1,024.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamHooks {
    /// Generates a chunk, with more information than TrnGenerateFn gets. Runs on workers. For
    /// worlds that are equal at any number of workers, it must depend on the coordinate alone.
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; blocks[0] alone if
    ///                 the chunk is uniform
    /// @param uniform  receives whether every voxel is blocks[0]; false on entry
    pub generate: Option<unsafe extern "C" fn(user: *mut c_void, job: *const TrnStreamJob, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult>,
    /// Loads a saved chunk. Runs on workers, before generate. If it returns NOT_FOUND, the stream
    /// generates the chunk.
    pub load: Option<unsafe extern "C" fn(user: *mut c_void, job: *const TrnStreamJob, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult>,
    /// Saves an unsaved chunk before it is unloaded, or earlier: see TrnStreamSource. Runs on
    /// workers; on the calling thread from trn_stream_save, when another caller removes the chunk,
    /// and where there are no workers. If the save fails, the chunk stays loaded; a caller that
    /// would have removed or evicted it gets the result.
    /// @param voxels  valid until the hook returns
    pub save: Option<unsafe extern "C" fn(user: *mut c_void, job: *const TrnStreamJob, voxels: TrnSnapshot) -> TrnResult>,
    /// Builds the mesh of a chunk. Runs on workers, inside a read section: memory that edits
    /// replace stays valid until the hook returns. Its allocator must work on any thread. Not
    /// called for chunks that are all air, unless TrnStreamDef.mesh_air is set.
    /// It must depend on nothing but the chunk, the voxels that touch it, and light: it is not
    /// called where all of these are what the shown mesh was built from.
    /// @param mesh  receives the mesh; all zeroes on entry
    pub mesh: Option<unsafe extern "C" fn(user: *mut c_void, job: *const TrnStreamJob, input: *const TrnStreamMeshInput, mesh: *mut TrnStreamMesh) -> TrnResult>,
    /// Shows a mesh in place of the chunk's previous mesh, which goes to drop_mesh right after.
    /// Runs on the calling thread. Also called for meshes with nothing to see, but not for chunks
    /// of air that had no mesh.
    /// @param mesh  still owned by the stream; the hook may lower `bytes` when it frees what it
    ///              copied to the graphics card
    pub upload: Option<unsafe extern "C" fn(user: *mut c_void, chunk: *mut TrnChunk, mesh: *mut TrnStreamMesh) -> TrnResult>,
    /// Frees a mesh, shown or not. Called once for every mesh that is not NULL. Runs on the calling
    /// thread.
    pub drop_mesh: Option<unsafe extern "C" fn(user: *mut c_void, mesh: TrnStreamMesh)>,
    /// The chunk is being unloaded: it is no longer in the store's index, and stays readable until
    /// the hook returns. Its mesh goes to drop_mesh right after. Runs on the calling thread.
    pub unload: Option<unsafe extern "C" fn(user: *mut c_void, chunk: *mut TrnChunk)>,
    /// passed to every hook
    pub user: *mut c_void,
}

/// One chunk of TrnStreamSource.load_many.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamLoadJob {
    /// As for load; all of a call have the same worker. Each may be cancelled on its own.
    pub job: *const TrnStreamJob,
    /// [TRN_CHUNK_VOXELS] receives the blocks, as for load
    pub blocks: *mut TrnBlock,
    /// receives whether every voxel is blocks[0]; false on entry
    pub uniform: bool,
    /// receives what load would return; NOT_FOUND on entry
    pub result: TrnResult,
}

/// Where a stream loads chunks from and where it saves them, as one value to copy: a save of
/// terrane/save.h (trn_save_source) or a game's own. All zeroes is no source.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamSource {
    /// Loads a chunk, as TrnStreamHooks.load. If the game sets a hook for loading or saving, the
    /// hooks replace both.
    pub load: Option<unsafe extern "C" fn(user: *mut c_void, job: *const TrnStreamJob, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult>,
    /// Saves a chunk, as TrnStreamHooks.save.
    pub save: Option<unsafe extern "C" fn(user: *mut c_void, job: *const TrnStreamJob, voxels: TrnSnapshot) -> TrnResult>,
    /// Finds the highest saved chunk of a column, for light from the sky (TrnStreamDef.light) where
    /// the generator makes only air. Runs on workers. NULL: such chunks count once they are loaded.
    /// @param from    level 0; the highest to consider
    /// @param lowest  the lowest
    /// @param y       receives it
    /// Errors: NOT_FOUND; any other fails the mesh that needs it, and the stream tries again.
    pub highest: Option<unsafe extern "C" fn(user: *mut c_void, from: TrnCoord, lowest: i32, y: *mut i32) -> TrnResult>,
    /// Loads several chunks, each as `load` would: for a source that answers one question about
    /// many chunks sooner than a question about each, such as a server. Runs on workers. NULL, or
    /// `load_max` below 2: `load` is called for each chunk. `load` is needed either way.
    /// @param loads  [count] in the order in which the stream needs them
    /// @param count  1 to load_max, and no more than a quarter of TrnStreamDef.queue_bytes holds at
    ///               64 KiB a chunk. A worker that was idle begins with few
    pub load_many: Option<unsafe extern "C" fn(user: *mut c_void, loads: *mut TrnStreamLoadJob, count: usize)>,
    /// the most chunks of a call that pay off; at most TRN_STREAM_LOADS_MAX
    pub load_max: u32,
    /// passed to all; borrowed: must outlive the stream
    pub user: *mut c_void,
    /// Also save chunks that were generated and shown, uniform ones excepted, so that a world keeps
    /// its land when the generator changes. If false, only chunks with changes are saved.
    pub saves_shown: bool,
    /// Not 0: loaded chunks are saved too, about this many seconds after they became unsaved; later
    /// if workers have no time. A chunk that waits for its mesh just then is saved on the calling
    /// thread, two an update. 0: chunks are saved before they are unloaded, and by trn_stream_save.
    pub save_seconds: f64,
}

/// Threads of the caller. The stream starts at most `concurrency` pieces of work at a time.
/// trn_stream_destroy waits until each start has called its work.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamRunner {
    /// Calls work(context) once, soon, on any thread, including this one before start returns.
    /// `work` returns when there is nothing to do, or after some ms. It needs TRN_STACK_BYTES of
    /// stack (terrane/generator.h), and in addition what a hook or a generator of yours takes.
    /// @return false if it cannot start; the stream tries again at its next update
    pub start: Option<unsafe extern "C" fn(user: *mut c_void, work: Option<unsafe extern "C" fn(context: *mut c_void)>, context: *mut c_void) -> bool>,
    /// 1..64: how many starts may run at a time
    pub concurrency: u32,
    /// passed to start
    pub user: *mut c_void,
}

/// One event of a stream.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamEvent {
    /// what happened
    pub kind: TrnStreamEventKind,
    /// the chunk
    pub coord: TrnCoord,
    /// for FAILED
    pub stage: TrnStreamStage,
    /// for FAILED, NO_WORKER
    pub result: TrnResult,
    /// for SHRANK, GREW
    pub ring: u32,
}

/// What one update may cost.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamBudget {
    /// Milliseconds on the calling thread. A piece of work that has begun is finished, including a
    /// hook on this thread. The update reserves time for its own final steps, estimated from
    /// earlier updates. 0 or less: no limit.
    pub ms: f64,
    /// 0..1: this part of the time between updates, smoothed over about eight of them, if that is
    /// more than `ms`; at most 50 ms. So a program that draws a frame a second loads as much as one
    /// that draws sixty. 0: `ms` alone.
    pub share: f64,
    /// Not 0: exact replay. The update generates, loads or meshes this many chunks (more when edits
    /// have been pending for five updates), waits for all of them, and applies the results in the
    /// order in which they began. Equal calls then give equal worlds, meshes and statistics, times
    /// excepted, at any number of workers. `ms` and `upload_bytes` are ignored. What
    /// TrnStreamSource.save_seconds saves depends on clock_us too: give it equal times.
    pub units: u32,
    /// Bytes of meshes. Once an update has uploaded this many, other meshes wait for the next
    /// update. Meshes of edits never wait but count; if they use it up, one other mesh is uploaded
    /// all the same. 0: no limit.
    pub upload_bytes: usize,
}

/// Start from trn_stream_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamDef {
    /// Borrowed; must outlive the stream. One stream a store. The store needs one free reader for
    /// each worker (TrnStoreDef.reader_max).
    pub store: *mut TrnStore,
    /// what the game provides
    pub hooks: TrnStreamHooks,
    /// Used if hooks.generate is NULL; its ceiling always. Copied.
    pub generator: TrnGenerator,
    /// load and save if hooks.load and hooks.save are NULL; copied
    pub source: TrnStreamSource,
    /// for updates that pass no budget
    pub budget: TrnStreamBudget,
    /// The most bytes for everything together: the store, meshes, the stream itself and
    /// scratch_bytes. The stream sets the store's bytes_max to what the others leave, so edits
    /// beyond it fail with FULL. A mesh counts from the moment its worker returns it. 0: only the
    /// store's own limit.
    pub bytes_max: usize,
    /// What the hooks allocate for themselves, to be counted; see trn_stream_set_scratch.
    pub scratch_bytes: usize,
    /// Bytes of generated voxels that wait for the calling thread. A chunk counts what it takes
    /// encoded, 5 KiB to 42 KiB, nothing if it is uniform, or 64 KiB while workers ask for more
    /// memory than they did lately; chunks of 64 KiB take up to half as much in addition. If it is
    /// used up, workers build meshes or wait. The queue always holds at least one chunk, and takes
    /// at most a quarter of bytes_max.
    pub queue_bytes: usize,
    /// 0..64: chunks unload this much farther out than they load
    pub hysteresis_chunks: u32,
    /// How many threads the stream starts. TRN_STREAM_WORKERS_DEFAULT: one less than the machine
    /// has cores, but 2 where it has two; at most 16. 0: the calling thread does all work. The
    /// stream reports workers that cannot be started, or for which the store has no reader, and
    /// continues without them. Each has at least 1 MiB of stack.
    pub workers: u32,
    /// Nice levels that the stream's own threads add to their own, 0..39, where the system sets
    /// them by thread (Linux). A caller that shares a core with a busy worker then gets its turn
    /// sooner. If not 0, workers also run as batch threads (SCHED_BATCH), which do not preempt the
    /// caller when it wakes them. Not applied to a runner.
    pub worker_nice: u32,
    /// NULL: the stream starts threads; copied
    pub runner: *const TrnStreamRunner,
    /// With workers: the calling thread works too, with the rest of its time budget. If false, it
    /// only builds meshes of edits. Without workers it always works.
    pub caller_works: bool,
    /// also mesh chunks of air
    pub mesh_air: bool,
    /// Solve the light of each chunk before it is meshed: TrnStreamMeshInput.sky and .blocks. Takes
    /// 1.7 MiB a worker, and as much for the calling thread. Only the latter counts against
    /// bytes_max, so that exact replay does not depend on the number of workers.
    pub light: bool,
    /// With `light`: keep the light of each chunk that was meshed, for trn_stream_get_light(). Also
    /// solves chunks of air. Workers then allocate too: the allocator must work on any thread.
    pub keep_light: bool,
    /// Microseconds from any origin, monotonic; called on any thread. NULL: the system's monotonic
    /// clock.
    pub clock_us: Option<unsafe extern "C" fn(user: *mut c_void) -> f64>,
    /// passed to clock_us
    pub clock_user: *mut c_void,
    /// NULL: none
    pub listener: Option<TrnStreamListener>,
    /// passed to listener
    pub listener_user: *mut c_void,
    /// Copied; NULL means malloc. Called only on the calling thread, unless keep_light is set or
    /// hooks give block data.
    pub allocator: *const TrnAllocator,
}

/// A player, a camera, or another point that chunks are loaded around.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamAnchor {
    /// anywhere in the world
    pub position: TrnPosition,
    /// Blocks a second; chunks ahead count as near. Zeroes: the stream derives it from the
    /// positions of earlier updates, from the second move on. A move of more than two chunks is a
    /// jump, not a motion, and an anchor has stopped after 30 updates in one place. Exact replay
    /// takes updates for a sixtieth of a second apart.
    pub velocity: [f64; 3],
    /// direction of view, any length; zeroes: all around
    pub view: [f64; 3],
    /// Chunks are shown where (x^2 + z^2) / radius^2 + y^2 / height^2 <= 1 from the anchor's chunk.
    /// 0..TRN_STREAM_RADIUS_MAX; a radius of 0 is one column. The view may be smaller if memory is
    /// short: see trn_stream_view.
    pub radius_chunks: u32,
    /// how far the view reaches up and down, 0..TRN_STREAM_RADIUS_MAX
    pub height_chunks: u32,
}

/// How far an anchor's view reaches.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamView {
    /// Rings that the view has now: the greater of its radius and height. 0 is the anchor's own
    /// chunk.
    pub rings: u32,
    /// rings that the anchor asks for
    pub rings_wanted: u32,
    /// the view has at least its first ring
    pub is_started: bool,
    /// it is smaller because memory is short, not because it is still growing
    pub is_shrunk: bool,
}

/// What one update did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamReport {
    /// chunks that entered a view
    pub wanted: u32,
    /// chunks that left all views
    pub unwanted: u32,
    /// chunks
    pub inserted: u32,
    /// meshes
    pub uploaded: u32,
    /// chunks
    pub unloaded: u32,
    /// chunks
    pub saved: u32,
    /// of those meshes, as passed to the hook
    pub upload_bytes: usize,
    /// pieces of work
    pub cancelled: u32,
    /// calls of hooks
    pub failed: u32,
    /// meshes outdated before they were finished, since the last update
    pub stale: u32,
    /// duration of the update
    pub us: f64,
    /// Every wanted chunk that fits is loaded, and shown where it should be; no work is under way
    /// and no retry is due. A hook that always fails, such as an upload to a full graphics card,
    /// keeps it false; TrnStreamStats.failed counts such chunks.
    pub is_idle: bool,
}

/// How far the chunks of a box have come.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamReadiness {
    /// in the box and inside the world
    pub chunks: u64,
    /// by any anchor, also as neighbours alone
    pub wanted: u64,
    /// in the store: bodies can walk on them
    pub loaded: u64,
    /// with a current mesh
    pub shown: u64,
    /// every chunk of the box is; false for an empty box
    pub is_loaded: bool,
    /// every chunk of the box is; false for an empty box
    pub is_shown: bool,
}

/// What a stream knows of a chunk.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamExplanation {
    /// how far it has come
    pub state: TrnStreamState,
    /// what it waits for
    pub wait: TrnStreamWait,
    /// a view holds it
    pub is_wanted: bool,
    /// a view shows it
    pub should_show: bool,
    /// in the store
    pub is_loaded: bool,
    /// with a current mesh
    pub is_shown: bool,
    /// changed since it was loaded, generated or saved
    pub is_unsaved: bool,
    /// for QUEUED, MESH_QUEUED
    pub lane: TrnStreamLane,
    /// for QUEUED, MESH_QUEUED: how many come first
    pub queue_position: u32,
    /// for NEIGHBOURS: how many are not loaded
    pub missing_count: u32,
    /// one of them
    pub missing: TrnCoord,
    /// the last one; OK if none since it last succeeded
    pub failure: TrnResult,
    /// failed in a row
    pub tries: u32,
    /// for FAILED: the update that retries it
    pub retry_update: u64,
    /// time in this state
    pub since_us: f64,
    /// of its mesh
    pub mesh_bytes: usize,
    /// to the nearest anchor; infinite without anchors
    pub distance_chunks: f64,
    /// all of this, for people
    pub sentence: [c_char; 320],
}

/// Times of a stage in microseconds, since creation or trn_stream_reset_times. Percentiles are at
/// most 7 % too large.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamTimes {
    /// how often the stage ran
    pub count: u64,
    /// of all times
    pub mean: f64,
    /// half of the times are at most this
    pub p50: f64,
    /// 99 % of the times are at most this
    pub p99: f64,
    /// 99.9 % of the times are at most this
    pub p999: f64,
    /// the longest
    pub max: f64,
}

/// Figures of a stream. Counts of events are totals since it was created.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStreamStats {
    /// calls of trn_stream_update()
    pub updates: u64,
    /// running
    pub workers: u32,
    /// could not be started
    pub workers_failed: u32,
    /// and as many views
    pub anchors: u32,
    /// views that anchors left
    pub dissolving: u32,
    /// smaller than wanted because memory is short
    pub shrunk_views: u32,
    /// chunks that a view holds
    pub wanted: u32,
    /// chunks of the views in the store
    pub loaded: u32,
    /// chunks with a current mesh
    pub shown: u32,
    /// chunks with changes that are not saved
    pub unsaved: u32,
    /// chunks that wait for their turn
    pub queued: u32,
    /// pieces of work that have begun
    pub under_way: u32,
    /// chunks that wait to unload
    pub unloading: u32,
    /// chunks that wait for a retry
    pub failed: u32,
    /// part of queued
    pub queued_to_generate: u32,
    /// part of queued
    pub queued_to_mesh: u32,
    /// queued by lane
    pub queued_lanes: [u32; 3],
    /// chunks that the generator gave
    pub generated: u64,
    /// chunks that the load hook gave
    pub restored: u64,
    /// chunks
    pub inserted: u64,
    /// calls of the mesh hook that succeeded
    pub meshed: u64,
    /// meshes
    pub uploaded: u64,
    /// not built: of the voxels and light of the shown mesh
    pub meshes_spared: u64,
    /// built, and equal to the shown mesh (TrnStreamMesh.hash)
    pub uploads_spared: u64,
    /// chunks
    pub unloaded: u64,
    /// chunks
    pub saved: u64,
    /// pieces of work cancelled before a worker began them
    pub cancelled_before: u64,
    /// pieces of work cancelled after that
    pub cancelled_during: u64,
    /// calls of hooks that failed
    pub failures: u64,
    /// meshes outdated before they were finished
    pub stale: u64,
    /// edits whose meshes were shown together
    pub groups: u64,
    /// Edits whose meshes were not shown together, because memory to track them failed.
    pub torn_groups: u64,
    /// rings dropped because memory was short
    pub shrinks: u64,
    /// rings added
    pub grows: u64,
    /// chunks that moving and growing views have visited
    pub cells_visited: u64,
    /// of the last failure
    pub last_stage: TrnStreamStage,
    /// its result; OK if there was none
    pub last_failure: TrnResult,
    /// its chunk
    pub last_failed: TrnCoord,
    /// of the store
    pub store_bytes: usize,
    /// of shown meshes and of meshes that wait to be shown
    pub mesh_bytes: usize,
    /// of kept light
    pub light_bytes: usize,
    /// of the stream itself
    pub stream_bytes: usize,
    /// as trn_stream_set_scratch()
    pub scratch_bytes: usize,
    /// of a far view's levels: stores, meshes and streams
    pub far_bytes: usize,
    /// the sum of these
    pub total_bytes: usize,
    /// the highest total_bytes so far
    pub total_bytes_peak: usize,
    /// as in the def
    pub bytes_max: usize,
    /// by stage
    pub times: [TrnStreamTimes; 12],
}

/// A far view. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnFar {
    _private: [u8; 0],
}

/// How far a far view reaches. Radii and heights are in chunks of each level.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFarView {
    /// coarser levels, 1..TRN_FAR_LEVEL_MAX and at most the generator's level_max
    pub levels: u32,
    /// Radius of each level's view, at most TRN_STREAM_RADIUS_MAX. 0: the anchor's, for each
    /// anchor.
    pub radius_chunks: u32,
    /// Radius of the coarsest level's view, to end at a distance between two levels. 0: as the
    /// others.
    pub last_radius_chunks: u32,
    /// How far each level's view reaches up and down. 0: as the anchor's.
    pub height_chunks: u32,
}

/// Start from trn_far_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFarDef {
    /// Level 0; borrowed, must outlive the far view. One far view a stream. Its store must outlive
    /// it too.
    pub stream: *mut TrnStream,
    /// how far it reaches
    pub view: TrnFarView,
    /// Generates all levels 1..view.levels, and level 0 as the stream's does: edits are what
    /// differs from it. Copied.
    pub generator: TrnGenerator,
    /// As those of a stream; `mesh` is needed. TrnStreamJob.level tells the level, and
    /// TrnStreamJob.worker is level 0's, so hooks of all levels may share scratch by worker. If
    /// generate, load or save is set, it replaces the generator or the source as in a stream.
    pub hooks: TrnStreamHooks,
    /// By level: what hooks of this level get as `user`, since upload, drop_mesh and unload get no
    /// job. NULL: hooks.user. [0] is not used.
    pub users: [*mut c_void; 9],
    /// Loads and saves chunks of levels 1 and up, by TrnStreamJob.level. Only those with edits are
    /// saved, whatever saves_shown says. All zeroes is no source.
    pub source: TrnStreamSource,
    /// What the stores of the levels are made from: user bytes, planes, caps. What it points to
    /// must outlive the far view. If `types` is NULL, they use those of level 0's store; if
    /// `allocator` is NULL, the far view's. bytes_max is ignored.
    pub store: TrnStoreDef,
    /// may be NULL, for trn_far_is_drawn() alone
    pub draw: Option<TrnFarDraw>,
    /// passed to draw
    pub draw_user: *mut c_void,
    /// The most bytes for all levels together: stores, meshes, streams. Each level gets an equal
    /// part; a level that is short drops its outer rings. What they use counts against level 0's
    /// bytes_max as well, so make it a part of that. 0: no limit of its own.
    pub bytes_max: usize,
    /// For updates that pass no budget. What level 0's last update took counts: the levels get the
    /// rest, the finest first. A level without time for it waits, up to seven updates in a row;
    /// then it gets 0.03 ms, one level an update. Of `units`, each level gets as many.
    pub budget: TrnStreamBudget,
    /// Keep the voxels of all chunks of levels, so that you can read them through trn_far_store().
    /// By default levels omit those of chunks that are as `generator` made them and are shown with
    /// all their neighbours, and generate them again when a mesh or an edit needs them. Hooks
    /// always get all voxels; readers of the stores find air in place of what is omitted.
    pub keeps_voxels: bool,
    /// as TrnStreamDef.hysteresis_chunks, in chunks of each level
    pub hysteresis_chunks: u32,
    /// Solve the light of each chunk before it is meshed, as TrnStreamDef.light.
    pub light: bool,
    /// also mesh chunks of air
    pub mesh_air: bool,
    /// Microseconds, for exact replay. NULL: the system's monotonic clock.
    pub clock_us: Option<unsafe extern "C" fn(user: *mut c_void) -> f64>,
    /// passed to clock_us
    pub clock_user: *mut c_void,
    /// Copied; NULL means malloc. Called only on the calling thread.
    pub allocator: *const TrnAllocator,
}

/// Figures of one level.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFarLevelStats {
    /// chunks of the views in the store
    pub loaded: u32,
    /// chunks with a mesh, or none needed, that may be drawn
    pub shown: u32,
    /// those that are
    pub drawn: u32,
    /// Rings of the smallest view of the level, and those it should have; equal once it is
    /// complete.
    pub rings: u32,
    /// see rings; 0 without anchors
    pub rings_wanted: u32,
    /// a view of this level is smaller because memory is short
    pub is_shrunk: bool,
    /// of its store, its meshes and its stream
    pub bytes: usize,
}

/// Figures of a far view.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFarStats {
    /// coarser levels
    pub levels: u32,
    /// by level; [0] is the game's stream
    pub level: [TrnFarLevelStats; 9],
    /// calls of TrnFarDef.draw so far
    pub draws: u64,
    /// chunks with edits that have not reached the next level
    pub folds_due: u32,
    /// chunks whose edits have, so far
    pub folds: u64,
    /// What a trn_far_save() has to do: chunks that are due, and coarse chunks with edits that are
    /// not saved. 0 after one that returned OK.
    pub unsaved: u64,
    /// Coarse chunks whose edits were forgotten, the oldest first, so far: they were not loaded,
    /// their level's pending edits were full (trn_pending_set_bytes_max), and there is no source.
    pub edits_dropped: u64,
    /// what says which chunks are drawn
    pub cover_bytes: usize,
    /// of all coarser levels, cover included
    pub bytes: usize,
    /// as in the def
    pub bytes_max: usize,
}

/// Takes the voxels of the features of one chunk. Opaque; valid during the call that gets it.
#[repr(C)]
pub struct TrnFeatureSink {
    _private: [u8; 0],
}

/// A generator, and the features on its land.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFeatures {
    /// generates chunks without features
    pub ground: TrnGenerator,
    /// Writes the features that begin in a chunk. What it writes must depend on `user`, `coord` and
    /// the level alone; it cannot read the land, so it computes the height of a root as the ground
    /// does. Called for each chunk that is within reach of the one that is generated, so let it
    /// find out soon that a chunk has no features.
    /// @param coord  of level 0, where the features begin
    /// @param sink   for trn_feature_set, trn_feature_add and trn_feature_level
    /// @return OK, or the reason why the chunk cannot be generated
    /// Threads: several at once, as a generator.
    pub place: Option<unsafe extern "C" fn(user: *mut c_void, coord: TrnCoord, sink: *mut TrnFeatureSink) -> TrnResult>,
    /// passed to place; borrowed: must outlive its use
    pub user: *mut c_void,
    /// How many chunks beyond theirs features reach along each axis, 0..TRN_FEATURES_REACH_MAX.
    pub reach_chunks: u32,
    /// The coarsest level of detail that shows features, 0..TRN_FEATURES_LEVEL_MAX. Coarser levels
    /// have the ground alone.
    pub level_max: u32,
}

/// Liquids that flow, in one store. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnFluid {
    _private: [u8; 0],
}

/// One liquid.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFluidLiquid {
    /// The source, the flows 1 to 7, and falling: nine different blocks of kind LIQUID.
    pub blocks: [TrnBlock; 9],
    /// steps from one look at its voxels to the next, 1 or more
    pub delay: u8,
    /// levels that it loses with each voxel that it spreads, 1..7
    pub decay: u8,
    /// How far from a side it looks for drops, in voxels, 0..TRN_FLUID_DROP_MAX.
    pub drop_voxels: u8,
    /// between two sources a source arises
    pub renews: bool,
    /// it has a sea level, `sea_y`
    pub has_sea: bool,
    /// At this y and below, a flow that rests on the ground becomes a source, so that
    /// a sea fills what players dig next to it, to its own height.
    pub sea_y: i64,
}

/// What a voxel of one liquid becomes when it touches another.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFluidReaction {
    /// that changes: a place in TrnFluidDef.liquids
    pub liquid: u8,
    /// that it touches, another place
    pub other: u8,
    /// what a source becomes
    pub source: TrnBlock,
    /// what anything else of the liquid becomes
    pub flow: TrnBlock,
}

/// Start from trn_fluid_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFluidDef {
    /// [liquid_count] copied
    pub liquids: *const TrnFluidLiquid,
    /// 1..TRN_FLUID_LIQUIDS_MAX
    pub liquid_count: u32,
    /// [reaction_count] copied; the first that applies counts
    pub reactions: *const TrnFluidReaction,
    /// 0..TRN_FLUID_REACTIONS_MAX
    pub reaction_count: u32,
    /// The most voxels of liquids that a step looks at, and a quarter of the most changed voxels
    /// whose sides it looks up; a chunk counts as 32 in addition. The rest is left to the next
    /// step, oldest first. 64 or more.
    pub budget_voxels: u32,
    /// The most bytes of the fluid: 0.4 MiB of its own, and for each chunk and liquid some 0.2 KiB
    /// while few of its voxels sleep and 4.3 KiB while some are to be looked at. They count as
    /// attached_bytes of the store, too. 0: no cap but the store's. At the cap the fluid drops what
    /// sleeps, the oldest first: see trn_fluid_drop. Then a step looks at fewer voxels, or at all
    /// voxels of some chunks, since a list of them takes more memory; last it drops what is due.
    pub bytes_max: usize,
}

/// What a step did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFluidOutcome {
    /// liquids that it looked at
    pub looked_voxels: u32,
    /// voxels that it wrote, a voxel twice if two liquids enter it
    pub changed_voxels: u32,
    /// of its batch; the store's if it changed nothing
    pub revision: u64,
}

/// Figures of a fluid.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnFluidStats {
    /// that succeeded, since the world began
    pub steps: u64,
    /// liquids that steps looked at, since the fluid was created
    pub looked_voxels: u64,
    /// voxels that they wrote
    pub changed_voxels: u64,
    /// chunks with voxels to look at, each once a liquid
    pub due_sets: u32,
    /// the same, that wait for chunks
    pub asleep_sets: u32,
    /// voxels in these
    pub due_voxels: u64,
    /// voxels in those
    pub asleep_voxels: u64,
    /// changes noted late, since memory ran out
    pub missed: u64,
    /// of everything
    pub bytes: usize,
    /// as in the def
    pub bytes_max: usize,
    /// that did less than they could, since bytes_max ran out
    pub capped_steps: u64,
    /// that were dropped: at bytes_max, or by trn_fluid_drop
    pub dropped_sets: u64,
}

/// Start from trn_history_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnHistoryDef {
    /// The most bytes that the history records. Beyond it, the oldest groups are dropped. A group
    /// that is larger than this empties the history, and the rest of that group is not recorded.
    /// With 0, nothing is recorded. Pending edits count against their own cap; they count here once
    /// they are undone, or once their chunk is inserted. Block data counts in full for each change
    /// that has it, although the history shares it with the chunk.
    pub bytes_max: usize,
}

/// Figures of a history.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnHistoryStats {
    /// that can be undone
    pub undo_groups: u32,
    /// that can be redone
    pub redo_groups: u32,
    /// to stay within bytes_max, so far
    pub dropped_groups: u64,
    /// of everything that it records
    pub bytes: usize,
    /// as in the def
    pub bytes_max: usize,
}

/// Settings of a noise. Start from trn_noise_def() and change what you need. Axes are x, y, z; a 2D
/// noise uses x and z and ignores every y component here.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnNoiseDef {
    /// what it computes
    pub kind: TrnNoiseKind,
    /// 2 or 3
    pub dimensions: u32,
    /// any value; each gives another noise
    pub seed: u64,
    /// any value; distinguishes the noises of one seed
    pub stream: u32,
    /// Size of the coarsest layer's features in voxels, by axis; a smaller y makes them flatter.
    /// Every layer's wavelength must lie in [TRN_NOISE_WAVELENGTH_MIN, TRN_NOISE_WAVELENGTH_MAX].
    pub wavelength: [f32; 3],
    /// layers, 1..TRN_NOISE_OCTAVE_MAX; 1 for cellular noise
    pub octaves: u32,
    /// ratio of each layer's frequency to that of the layer before, 1..16
    pub lacunarity: f32,
    /// ratio of each layer's strength to that of the layer before, in (0, 1]
    pub gain: f32,
    /// Domain warp: largest displacement in voxels, by axis. A smooth noise displaces each voxel
    /// before it is evaluated. All 0 means no warp. At most 512 of the finest layer's wavelengths.
    pub warp: [f32; 3],
    /// Like `wavelength`, for the warp's coarsest layer. Ignored without a warp.
    pub warp_wavelength: [f32; 3],
    /// Layers of the warp, 1..TRN_NOISE_WARP_OCTAVE_MAX; each is twice as fine and half as strong
    /// as the one before. Ignored without a warp.
    pub warp_octaves: u32,
}

/// Private: one layer of a compiled noise.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnNoiseLayer {
    /// [lattice axis][world axis]: lattice cells per voxel, in units of 2^-32
    pub step: [[i64; 3]; 3],
    /// lattice position of voxel 0, 0, 0, in the same units
    pub origin: [u64; 3],
    /// of its gradients or points
    pub seed: u32,
    /// its part of the sum
    pub weight: f32,
}

/// A compiled noise, in the caller's memory. Plain data: it owns nothing, needs no destructor and
/// may be copied. Its fields are private and valid only on the machine that compiled it; to save a
/// noise, save its def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnNoise {
    /// [layer_count]
    pub layers: [TrnNoiseLayer; 8],
    /// [warp_layer_count]
    pub warp_layers: [TrnNoiseLayer; 4],
    /// as in the def
    pub warp: [f32; 3],
    /// 1..TRN_NOISE_OCTAVE_MAX
    pub layer_count: u32,
    /// 0 without a warp
    pub warp_layer_count: u32,
    /// as in the def
    pub dimensions: u32,
    /// TrnNoiseKind
    pub kind: u32,
    /// index of the kernels in use
    pub kernels: u32,
}

/// A grid of voxels to evaluate: every 2^level-th along each axis, starting at `origin`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnNoiseGrid {
    /// First voxel: inside the world, or at most TRN_NOISE_MARGIN outside. The grid may extend
    /// farther; the noise continues there.
    pub origin: TrnVoxel,
    /// 0..TRN_NOISE_LEVEL_MAX; 0 evaluates every voxel
    pub level: u32,
    /// points along x, at least 1
    pub size_x: u32,
    /// points along y, at least 1; 1 for a 2D noise
    pub size_y: u32,
    /// points along z, at least 1
    pub size_z: u32,
}

/// Start from trn_ray_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnRayDef {
    /// voxels, 0..TRN_RAY_DISTANCE_MAX
    pub distance_max: f64,
    /// [TRN_BLOCK_BITS_WORDS] the set of blocks that stop the ray, bit id % 32 of word id / 32, as
    /// trn_block_types_kind_bits writes it. NULL: all solid blocks. The store's own solid and
    /// opaque sets are fastest, since chunks hold masks of them.
    pub stops: *const u32,
    /// Whether the ray ends at a chunk that is not loaded; if not, such a chunk counts as air.
    pub stops_at_unloaded: bool,
}

/// Where a ray ended.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnRayHit {
    /// why it ended there
    pub end: TrnRayEnd,
    /// BLOCK: the block's voxel. UNLOADED: the first voxel in the chunk that is not loaded.
    /// DISTANCE, WORLD: the last voxel on the ray.
    pub voxel: TrnVoxel,
    /// The face of `voxel`, or of the model's box in it, through which the ray entered. The
    /// adjacent voxel on that side, trn_voxel_neighbour(), is where a player builds.
    /// TRN_FACE_COUNT if the ray started inside.
    pub face: TrnFace,
    /// BLOCK: the block; otherwise air
    pub block: TrnBlock,
    /// voxels from the origin to the end
    pub distance: f64,
}

/// Start from trn_registry_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnRegistryDef {
    /// offset of each object's uint32_t: offsetof(Mob, in_world)
    pub index_offset: usize,
    /// maximum number of objects; 0 means no limit
    pub count_max: u32,
    /// copied; NULL means malloc
    pub allocator: *const TrnAllocator,
}

/// Read the fields, never write them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnRegistry {
    /// [count] the objects, without gaps; may move when one is added
    pub items: *mut *mut c_void,
    /// objects
    pub count: u32,
    /// objects that fit without allocating
    pub capacity: u32,
    /// as in the def
    pub count_max: u32,
    /// as in the def
    pub index_offset: usize,
    /// its memory comes from it
    pub allocator: TrnAllocator,
}

/// Start from trn_spatial_array_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSpatialArrayDef {
    /// 1 (x), 2 (x and z) or 3; the other axes of every coordinate must be 0
    pub dimensions: c_int,
    /// 1..65536
    pub element_bytes: usize,
    /// [element_bytes] value of a cell without an element; copied; NULL means all zeroes
    pub sentinel: *const c_void,
    /// maximum memory of the cells
    pub bytes_max: usize,
    /// copied; NULL means malloc
    pub allocator: *const TrnAllocator,
}

/// Read the fields, never write them. They are public so that the lookup can be inlined.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSpatialArray {
    /// extent[0] * extent[1] * extent[2] elements; x fastest, then z, then y. NULL when empty.
    pub cells: *mut u8,
    /// coordinates x, y, z of the first cell
    pub origin: [i64; 3],
    /// cells along x, y, z; 0 when empty
    pub extent: [i64; 3],
    /// as in the def
    pub element_bytes: usize,
    /// elements stored
    pub count: usize,
    /// as in the def
    pub bytes_max: usize,
    /// how often the extent grew
    pub growths: u32,
    /// as in the def
    pub dimensions: c_int,
    /// [element_bytes] what a cell without an element holds
    pub sentinel: *mut u8,
    /// its memory comes from it
    pub allocator: TrnAllocator,
}

/// Statistics of a spatial array.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSpatialArrayStats {
    /// coordinates x, y, z of the first cell
    pub origin: [i64; 3],
    /// cells along x, y, z; 0 when empty
    pub extent: [i64; 3],
    /// of the extent
    pub cells: usize,
    /// elements stored
    pub count: usize,
    /// count / cells, 0 when empty
    pub fill: f64,
    /// all memory of the array
    pub bytes: usize,
    /// how often the extent grew
    pub growths: u32,
}

/// A terrain. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnTerrain {
    _private: [u8; 0],
}

/// Settings of a world's shape. Start from trn_terrain_shape_default() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTerrainShape {
    /// Size of continents, ranges and biomes, 0.25..8. At 1 they are about 2,000 voxels wide.
    pub scale: f32,
    /// amount of land, -1 (all sea) .. 1 (hardly any sea); 0: a third is sea
    pub land: f32,
    /// height of hills, 0..2
    pub relief: f32,
    /// height and frequency of mountains, 0..2
    pub mountains: f32,
    /// width of valleys at sea level, and number of rivers, 0..2; 0: none
    pub rivers: f32,
    /// strength of terraces, 0..1: mesas and canyons
    pub terraces: f32,
    /// depth of overhangs, 0..2; 0: none
    pub overhangs: f32,
    /// width of caves, 0..2; 0: none; at 1 caves take 1/25 of the rock
    pub caves: f32,
    /// Added to the land's temperature, -1..1. Values far from 0 also reduce its variation.
    pub temperature: f32,
    /// added to the land's moisture, -1..1
    pub moisture: f32,
    /// density of trees and plants, 0..2
    pub trees: f32,
}

/// Settings of a terrain. Start from trn_terrain_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTerrainDef {
    /// any value; each gives another world
    pub seed: u64,
    /// TRN_TERRAIN_VERSION_OLDEST..TRN_TERRAIN_VERSION: which land is generated. Other versions
    /// would be different voxels, so trn_terrain_create refuses them with BAD_ARGUMENT, and
    /// trn_terrain_def_fault says what to do.
    pub version: u32,
    /// how the land looks
    pub shape: TrnTerrainShape,
    /// Capacity of the cache in chunk columns of about 13 KiB each, at least 1. The oldest column
    /// is evicted first. The square of the view's width in chunks is plenty. Up to half as many
    /// columns of levels above 0 are kept too, of 8 KiB each, and the bounds of eight times those.
    /// An eighth as many squares of noise, of 7.5 KiB each, are shared by adjacent columns. Regions
    /// of rivers take 0.5 MiB, from 512 columns on 1.3 and from 8,192 on 4.2.
    pub column_cache_max: u32,
    /// Copied; NULL means malloc. Every generating thread calls it.
    pub allocator: *const TrnAllocator,
}

/// Where and why a shape's text was rejected.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTerrainProblem {
    /// from 1
    pub line: usize,
    /// from 1, in bytes
    pub column: usize,
    /// what is wrong and what to do; printable ASCII for any input
    pub sentence: [c_char; 256],
}

/// What trn_terrain_sample reports of a voxel column.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTerrainSample {
    /// as trn_terrain_height
    pub height: i64,
    /// of the column
    pub biome: TrnTerrainBiome,
    /// Block that covers the ground. Does not hold on the floor of a cave that opens there: more
    /// than eight voxels below the former ground it is bare rock.
    pub top: TrnBlock,
    /// `top`; water or ice where water covers the ground
    pub surface: TrnBlock,
    /// Voxel y of `surface`: that of the topmost water, in the sea TRN_TERRAIN_SEA_LEVEL; elsewhere
    /// `height`.
    pub surface_y: i64,
}

/// Random ticks of one store. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnTicks {
    _private: [u8; 0],
}

/// One voxel that is offered.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTick {
    /// where
    pub voxel: TrnVoxel,
    /// what it is now, with the edits of the batch; its type ticks
    pub block: TrnBlock,
    /// for the game: as random as the choice of the voxel, and as repeatable
    pub random: u64,
}

/// Start from trn_ticks_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTicksDef {
    /// not NULL
    pub tick: Option<TrnTickFn>,
    /// passed to it
    pub user: *mut c_void,
    /// another seed draws other voxels
    pub seed: u64,
    /// voxels drawn in each chunk a step, 1..TRN_TICKS_PER_CHUNK_MAX
    pub per_chunk: u32,
    /// along x and z from an anchor, 0..TRN_TICKS_RADIUS_MAX
    pub radius_chunks: u32,
    /// the same along y
    pub height_chunks: u32,
}

/// What a step did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnTicksOutcome {
    /// loaded near anchors
    pub chunks: u32,
    /// of them, with blocks whose types tick
    pub ticked_chunks: u32,
    /// voxels
    pub offered: u32,
    /// of the edits; all 0 if nothing was offered
    pub batch: TrnBatchOutcome,
}

/// One face of one box of a model (TrnBlockModel), 16 bytes: a rectangle inside one voxel, on a
/// grid of 1/16 voxel (TRN_BLOCK_GRID). Its two axes and its corners are those of a TrnQuad.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnModelFace {
    /// x, y, z of the voxel in bits 0..14, five each; the TrnFace in bits 15..17; the index of the
    /// box in bits 18..20; 0 above
    pub place: u32,
    /// the lower and upper end along the width axis in bits 0..9, along the height axis in bits
    /// 10..19, and the place along the third axis in bits 20..24, each 0..16; 0 above
    pub rectangle: u32,
    /// block in bits 0..15, ao in 16..23 as an opaque quad's, user byte in 24..31
    pub look: u32,
    /// of the four corners, as a quad's
    pub light: u32,
}

/// What a chunk is meshed from. The mesher borrows and only reads all of it, during the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnMeshInput {
    /// The chunk, around[TRN_AROUND_CENTRE], and the 26 around it, in the order of
    /// trn_coord_around. trn_store_snapshot_around fills it. Chunks are read as stored: the opaque
    /// masks of all, and the blocks of rows that show a face.
    pub around: [TrnSnapshot; 27],
    /// bit i: around[i] is valid; bit TRN_AROUND_CENTRE must be set
    pub present: u32,
    /// true: a missing chunk counts as opaque and hides the border's faces. false: it is air.
    pub missing_is_solid: bool,
    /// true: no ambient occlusion; all ao is 255, and faces merge wherever their block is the same.
    pub without_ao: bool,
    /// true: each quad is one face, for textures that cannot repeat, such as those of an atlas
    pub without_merging: bool,
    /// Bit f, a TrnFace: an open side, towards a neighbour that may be drawn at another level of
    /// detail, whose surface lies elsewhere, and may have a cave where this one has rock. No opaque
    /// face on that side is hidden, unless this chunk and the six around it are opaque all through.
    /// The ao of these faces is 255, and their light TRN_MESH_LIGHT(15, 0). All other faces see the
    /// neighbour as it is.
    pub open_sides: u32,
    /// [type_count] by block id; ids from type_count on are opaque. Must be the types that the
    /// voxel heap's opaque_bits came from. A block about which the two disagree is drawn as either.
    pub types: *const TrnBlockType,
    /// at least 1
    pub type_count: u32,
    /// The sky light of the chunk and its border; NULL: 15 everywhere. Faces merge only if the
    /// light of the rectangle, interpolated between its corners, is that of each face.
    pub sky: *const TrnLight,
    /// the light of blocks; NULL: 0 everywhere
    pub blocks: *const TrnLight,
    /// A game's own byte for each face, such as a tint, damage or wetness, which its quad carries
    /// (trn_quad_user_byte). By TrnFace: [TRN_CHUNK_VOXELS] by linear index; NULL: 0. Several faces
    /// may share an array. Plants have the byte of their top face. Faces merge only where their
    /// bytes are equal.
    pub user_bytes: [*const u8; 6],
}

/// Where a chunk's quads lie.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnMeshInfo {
    /// group g is quads [first[g], first[g + 1])
    pub first: [u32; 20],
    /// the lowest local coordinates of voxels that own a quad or hold a model
    pub min: [u8; 3],
    /// the highest such coordinates, inclusive; 0, as min, without such voxels
    pub max: [u8; 3],
    /// The light that all corners of all quads share, or TRN_MESH_LIGHT_VARIES; 0 without quads.
    pub light: u32,
    /// how many voxels hold a model: trn_mesh_models() meshes them
    pub models: u32,
}

/// Quads and faces of models in memory that grows. Callers read the fields and never write them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnMesh {
    /// [capacity], the first trn_mesh_count(&info) are in use
    pub quads: *mut TrnQuad,
    /// [capacity] by quad, if info.light is TRN_MESH_LIGHT_VARIES
    pub light: *mut u32,
    /// doubles up to TRN_MESH_QUADS_MAX, shrinks only in trn_mesh_free
    pub capacity: usize,
    /// where the quads lie
    pub info: TrnMeshInfo,
    /// [model_capacity], the first model_count are in use
    pub models: *mut TrnModelFace,
    /// doubles, shrinks only in trn_mesh_free; 0 before the first model
    pub model_capacity: usize,
    /// faces of models
    pub model_count: u32,
    /// the memory comes from it
    pub allocator: TrnAllocator,
}

/// One corner of a quad or of a model's face, 40 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnMeshVertex {
    /// x, y, z in voxels from the chunk's lowest corner, plus the caller's offset; y is up
    pub position: [f32; 3],
    /// unit length, away from the block
    pub normal: [f32; 3],
    /// In voxels, so that a repeating texture covers each voxel once. u runs right and v up, from 0
    /// at the quad's lower left corner as seen from outside. Up is north (-z) on tops, south on
    /// bottoms.
    pub uv: [f32; 2],
    /// of the quad
    pub block: TrnBlock,
    /// as trn_quad_face
    pub face: u8,
    /// ambient occlusion: 0 (darkest), 85, 170 or 255 (unoccluded)
    pub ao: u8,
    /// of the quad or face: see TrnMeshInput.user_bytes
    pub user_byte: u8,
    /// of a model: the index of the box, whose textures it has; otherwise 0
    pub box_: u8,
    /// 0
    pub unused: [u8; 2],
}

/// What a row is found by.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageKey {
    /// of the chunk
    pub coord: TrnCoord,
    /// of detail: the chunk covers 32 << level voxels an axis
    pub level: u32,
}

/// The bytes of one chunk.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageRow {
    /// what it is found by
    pub key: TrnStorageKey,
    /// Of the save when it wrote the row, 1..2^62: later rows have higher ones.
    pub revision: u64,
    /// [size]; NULL in a batch: the row is removed
    pub bytes: *const c_void,
    pub size: usize,
}

/// Bytes with a name.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageValue {
    /// UTF-8, at most TRN_STORAGE_NAME_MAX bytes
    pub name: *const c_char,
    /// [size]; NULL in a batch: the value is removed
    pub bytes: *const c_void,
    pub size: usize,
}

/// What is written together.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageBatch {
    /// [row_count] each replaces the row of its key
    pub rows: *const TrnStorageRow,
    /// rows
    pub row_count: usize,
    /// [value_count] each replaces the value of its name
    pub values: *const TrnStorageValue,
    /// values
    pub value_count: usize,
    /// How many values, the last ones, are new: if one of their names has a value, the batch fails
    /// with EXISTS and changes nothing. The library's storages look in the transaction itself. A
    /// storage that one process alone writes need not look.
    pub new_value_count: usize,
}

/// Which rows to list.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageRange {
    /// of detail
    pub level: u32,
    /// of chunk coordinates of that level, both corners inclusive
    pub box_: TrnBox,
    /// only rows of later revisions; 0: all
    pub since: u64,
}

/// A place for rows and values. All zeroes is no storage.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorage {
    /// Reads rows by key, in any order; keys without a row are left out.
    /// @param keys  [count]
    pub get: Option<unsafe extern "C" fn(user: *mut c_void, keys: *const TrnStorageKey, count: usize, visit: Option<TrnStorageRowVisitor>, visitor: *mut c_void) -> TrnResult>,
    /// Reads the rows of a range, in any order.
    pub list: Option<unsafe extern "C" fn(user: *mut c_void, range: *const TrnStorageRange, visit: Option<TrnStorageRowVisitor>, visitor: *mut c_void) -> TrnResult>,
    /// Reads the values whose names begin with a prefix, in order of their names.
    pub values: Option<unsafe extern "C" fn(user: *mut c_void, prefix: *const c_char, visit: Option<TrnStorageValueVisitor>, visitor: *mut c_void) -> TrnResult>,
    /// Writes a batch in one transaction: all of it or, with any result except OK, nothing. When it
    /// returns OK, the batch survives a loss of power.
    pub put: Option<unsafe extern "C" fn(user: *mut c_void, batch: *const TrnStorageBatch) -> TrnResult>,
    /// Returns a number that changes after another process has written. NULL: no other writes.
    pub watch: Option<unsafe extern "C" fn(user: *mut c_void) -> u64>,
    /// Writes a sentence about the last failure on this storage into `text`. NULL: there is only
    /// the result.
    pub problem: Option<unsafe extern "C" fn(user: *mut c_void, text: *mut c_char, capacity: usize)>,
    /// Frees the storage.
    pub close: Option<unsafe extern "C" fn(user: *mut c_void)>,
    /// passed to every function
    pub user: *mut c_void,
    /// How many keys a call of get should have if there are as many to read: more than 1 for a
    /// storage that answers one call about many keys sooner than a call for each, such as a server.
    /// 0: a call for each, as suits a file.
    pub batch_keys: usize,
}

/// A problem with a file, as a sentence for people.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageProblem {
    /// what is wrong and what to do
    pub sentence: [c_char; 512],
}

/// Watches long work, and may stop it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnStorageProgress {
    /// @param total  steps of the whole work; 0: unknown
    /// @return false to stop: the work then fails with IO and leaves everything as it was
    pub step: Option<unsafe extern "C" fn(user: *mut c_void, done: u64, total: u64) -> bool>,
    /// passed to it
    pub user: *mut c_void,
}

/// A file that appears under its name when it is complete.
#[repr(C)]
pub struct TrnStoragePart {
    _private: [u8; 0],
}

/// A world that is saved. Opaque; the caller creates and destroys it.
#[repr(C)]
pub struct TrnSave {
    _private: [u8; 0],
}

/// Start from trn_save_def() and change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSaveDef {
    /// owned by the save from trn_save_create on, which closes it
    pub storage: TrnStorage,
    /// Borrowed; must outlive the save. trn_save_create adds placeholders for unknown names, so
    /// create the save before the stream.
    pub types: *mut TrnBlockTypes,
    /// which chunks are saved
    pub what: TrnSaveWhat,
    /// what becomes of damaged ones
    pub damaged: TrnSaveDamaged,
    /// Seconds from the first change in the queue until it is written; 0: at once.
    pub commit_seconds: f64,
    /// Seconds until the stream saves a chunk that is loaded: see TrnStreamSource.
    pub save_seconds: f64,
    /// The most bytes of chunks and values in the queue. When it is full, saving a chunk fails with
    /// FULL, and the stream tries again; the chunk stays loaded. A single chunk or value that is
    /// larger, such as a chunk with much block data, is accepted in addition to them.
    pub queue_bytes: usize,
    /// of compression, -7..22
    pub zstd_level: c_int,
    /// false: the save starts no thread, and writes in trn_save_flush and in calls that add to the
    /// queue when a transaction is due.
    pub has_thread: bool,
    /// copied; NULL means malloc; called on any thread
    pub allocator: *const TrnAllocator,
}

/// How far trn_save_fold is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSaveFoldProgress {
    /// that is being made
    pub level: u32,
    /// of its chunks
    pub done: u64,
    /// its chunks
    pub total: u64,
}

/// Something that happened.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSaveEvent {
    /// what
    pub kind: TrnSaveEventKind,
    /// for DAMAGED, READ_FAILED
    pub key: TrnStorageKey,
    /// for WRITE_FAILED, READ_FAILED
    pub result: TrnResult,
    /// for people
    pub sentence: [c_char; 512],
}

/// Figures of a save, since it was created unless they say otherwise.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnSaveStats {
    /// chunks put into the queue
    pub queued: u64,
    /// rows written to the storage
    pub written: u64,
    /// bytes of these rows
    pub bytes_written: u64,
    /// that succeeded
    pub transactions: u64,
    /// transactions that failed
    pub failures: u64,
    /// chunks found in the queue or in the storage
    pub loaded: u64,
    /// chunks that neither has
    pub absent: u64,
    /// rows that were damaged
    pub damaged: u64,
    /// because the caller did not take them in time
    pub events_lost: u64,
    /// chunks in the queue now
    pub in_queue: u32,
    /// bytes of the queue now
    pub queue_bytes: usize,
    /// the most that there were
    pub queue_bytes_peak: usize,
    /// for how long the oldest change in the queue has waited
    pub oldest_seconds: f64,
}

/// What a repair found.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrnRepairReport {
    /// that the new file has
    pub chunks: u64,
    /// rows of these chunks that a newer one replaces
    pub older: u64,
    /// places that begin as a row and are none: damage, and remains of old rows
    pub broken: u64,
    /// of the game and of the save, block names included, in the new file
    pub values: u64,
    /// blocks whose names were not found: "lost:00012" stands for number 12
    pub lost_names: u64,
    /// pages that the system could not read
    pub unreadable: u64,
}

extern "C" {
    /// Returns the version of the linked library, such as "0.3.0". Static text. Any thread.
    pub fn trn_version() -> *const c_char;
    /// Returns one sentence that says what is wrong and what to do about it, true of every call that
    /// returns the result. What it means at the call that failed stands in that call's declaration,
    /// under Errors. Static text, never NULL, for any value. Any thread.
    pub fn trn_result_text(result: TrnResult) -> *const c_char;
    /// Returns the allocator that objects use by default, over trn_aligned_alloc() and
    /// trn_aligned_free(). Except on Windows, it aligns blocks of 2 MiB and more to 2 MiB; on Linux, it
    /// asks for huge pages for them. Any thread.
    pub fn trn_allocator_default() -> TrnAllocator;
    /// Allocates memory of the caller's own, such as the mesher's scratch. Contents are undefined.
    /// @param bytes      at least 1
    /// @param alignment  in bytes, a power of two
    /// @return NULL if there is no memory or an argument is out of range; the caller frees it with
    ///         trn_aligned_free()
    /// Any thread.
    pub fn trn_aligned_alloc(bytes: usize, alignment: usize) -> *mut c_void;
    /// Frees memory of trn_aligned_alloc(). Any thread.
    /// @param memory  may be NULL
    pub fn trn_aligned_free(memory: *mut c_void);
    #[link_name = "trnx_coord_equal"]
    /// Whether two coordinates are equal.
    pub fn trn_coord_equal(a: TrnCoord, b: TrnCoord) -> bool;
    #[link_name = "trnx_coord_add"]
    /// Adds an offset in chunks. Wraps at the ends of int32.
    pub fn trn_coord_add(coord: TrnCoord, dx: i32, dy: i32, dz: i32) -> TrnCoord;
    #[link_name = "trnx_coord_neighbour"]
    /// The chunk behind a face. Wraps at the ends of int32.
    pub fn trn_coord_neighbour(coord: TrnCoord, face: TrnFace) -> TrnCoord;
    #[link_name = "trnx_coord_around"]
    /// The chunk at a place, 0..26, around `coord`: x fastest, then z, then y. Wraps at the ends of
    /// int32. trn_store_snapshot_around() and the bits of TrnEventChunk.around have the same order.
    pub fn trn_coord_around(coord: TrnCoord, place: u32) -> TrnCoord;
    #[link_name = "trnx_box_is_empty"]
    /// Whether a box holds no chunk.
    pub fn trn_box_is_empty(box_: TrnBox) -> bool;
    #[link_name = "trnx_box_contains"]
    /// Whether a chunk lies in a box.
    pub fn trn_box_contains(box_: TrnBox, coord: TrnCoord) -> bool;
    #[link_name = "trnx_box_around"]
    /// The box of all chunks within a radius of `centre`. Clamped at the ends of int32.
    /// @param radius_x,radius_y,radius_z  chunks along each axis, 0 or more
    pub fn trn_box_around(centre: TrnCoord, radius_x: i32, radius_y: i32, radius_z: i32) -> TrnBox;
    #[link_name = "trnx_voxel_in_world"]
    /// Whether each axis lies in [TRN_VOXEL_MIN, TRN_VOXEL_MAX].
    pub fn trn_voxel_in_world(voxel: TrnVoxel) -> bool;
    #[link_name = "trnx_voxel_chunk"]
    /// The chunk that holds a voxel of the world.
    pub fn trn_voxel_chunk(voxel: TrnVoxel) -> TrnCoord;
    #[link_name = "trnx_local_index"]
    /// The linear index, 0..32767, of local coordinates, each 0..31.
    pub fn trn_local_index(x: u32, y: u32, z: u32) -> u32;
    #[link_name = "trnx_voxel_local_index"]
    /// The linear index of a voxel inside its chunk.
    pub fn trn_voxel_local_index(voxel: TrnVoxel) -> u32;
    #[link_name = "trnx_voxel_neighbour"]
    /// The voxel behind a face, such as where a player builds on what a ray hit. It may lie beyond the
    /// end of the world.
    /// @param face  TRN_FACE_COUNT, of a ray that began inside a block: the voxel itself
    pub fn trn_voxel_neighbour(voxel: TrnVoxel, face: TrnFace) -> TrnVoxel;
    #[link_name = "trnx_voxel_position"]
    /// The lowest corner of a voxel.
    pub fn trn_voxel_position(voxel: TrnVoxel) -> TrnPosition;
    #[link_name = "trnx_coord_voxel"]
    /// The lowest voxel of a chunk.
    pub fn trn_coord_voxel(coord: TrnCoord) -> TrnVoxel;
    #[link_name = "trnx_position_equal"]
    /// Whether two positions are the same point. Offsets are compared as numbers: NaN equals nothing.
    pub fn trn_position_equal(a: TrnPosition, b: TrnPosition) -> bool;
    /// Moves a position by some voxels, across chunks if needed. At the ends of the world it stops
    /// along the axis that would leave the world. NaN moves nowhere.
    pub fn trn_position_add(position: TrnPosition, by: *const f64) -> TrnPosition;
    /// `to` minus `from` in voxels. Exact to 2^-20 voxels over a million chunks, coarser farther apart.
    pub fn trn_position_difference(to: TrnPosition, from: TrnPosition, out: *mut f64);
    /// The voxel that contains a position.
    pub fn trn_position_voxel(position: TrnPosition) -> TrnVoxel;
    /// Returns a type to start from: white, without textures or light, solid unless its kind is AIR,
    /// LIQUID or PLANT, dimming light by 2 if it is LIQUID and by 1 if it is CUTOUT, with a surface at
    /// 14/16 if it is LIQUID. A MODEL needs a model too.
    /// @param name  borrowed; the result points to it
    pub fn trn_block_type_def(name: *const c_char, kind: TrnBlockKind) -> TrnBlockType;
    /// Creates a registry with one type, air (TRN_BLOCK_AIR, "terrane:air"). A game's own types get ids
    /// from 1 on.
    /// @param allocator  copied; NULL means malloc
    /// @param types      receives the registry; the caller destroys it
    /// Errors: BAD_ARGUMENT, NO_MEMORY.
    /// Cost: O(1); 49 KiB, about 140 bytes for each type beyond the first 64, and 320 bytes for
    /// each model.
    pub fn trn_block_types_create(allocator: *const TrnAllocator, types: *mut *mut TrnBlockTypes) -> TrnResult;
    /// Creates a registry with the built-in types, so that each has its TRN_BLOCK_* id. A game's own
    /// types get ids from TRN_BLOCK_BUILTIN_COUNT on. Otherwise as trn_block_types_create. The types
    /// are part of the library; no file is read. It takes some 160 KiB.
    pub fn trn_block_types_create_builtin(allocator: *const TrnAllocator, types: *mut *mut TrnBlockTypes) -> TrnResult;
    /// Destroys a registry. No store or heap may still use it.
    /// @param types  may be NULL
    pub fn trn_block_types_destroy(types: *mut TrnBlockTypes);
    /// Adds a type. A type never changes after that, because masks and meshes depend on it. Only a
    /// placeholder of the same name is filled in, and keeps its id. Do that before voxels with it are
    /// loaded: masks made from the placeholder stay until the voxels are encoded again.
    /// @param type  copied, including its name and model; is_unknown must be false; family and variant
    ///              are ignored
    /// @param id    receives the id; may be NULL
    /// Errors: BAD_ARGUMENT (a bad name, kind, light, surface, model or liquid, or is_unknown), EXISTS
    /// (the name is known), FULL (TRN_BLOCK_TYPES_MAX types), NO_MEMORY; the registry is unchanged
    /// then. Success invalidates all pointers that the registry returned before, except the four sets
    /// of bits. Cost: amortized O(1).
    pub fn trn_block_types_add(types: *mut TrnBlockTypes, type_: *const TrnBlockType, id: *mut TrnBlock) -> TrnResult;
    /// Adds all types of a family, or none of them. The first has the name of `type`, the others that
    /// name with "/1", "/2" and so on. Members that are placeholders are filled in and keep their ids;
    /// the others get consecutive new ids. Turns are rotated from +x towards +z, each a quarter, with
    /// boxes, colours, layers and connected sides; upside down means mirrored from top to bottom. The
    /// surfaces of flows fall evenly from below the source's to 1; the surface of the falling liquid
    /// is 16.
    /// @param type   the first; as for trn_block_types_add(); its name has at most
    ///               TRN_BLOCK_NAME_MAX - 2 bytes
    /// @param count  MODEL: 4 (turns) or 8 (turns, then the same upside down); LIQUID: 9
    /// @param first  receives the id of the first; may be NULL
    /// Errors and pointers: as trn_block_types_add(); BAD_ARGUMENT also for another count.
    /// Cost: amortized O(count).
    pub fn trn_block_types_add_family(types: *mut TrnBlockTypes, type_: *const TrnBlockType, count: u32, first: *mut TrnBlock) -> TrnResult;
    /// Adds a placeholder for a name that this game does not know, so that saving the world again keeps
    /// the name. It is opaque, solid and of a conspicuous colour made from the name, until
    /// trn_block_types_add() or a text fills it in. A name that ends in a colour, such as
    /// "model:8c39ce", gets that colour.
    /// @param name  copied
    /// @param id    receives the id; may be NULL
    /// Errors, pointers and cost: as trn_block_types_add(); EXISTS also if the name is already a
    /// placeholder.
    pub fn trn_block_types_add_unknown(types: *mut TrnBlockTypes, name: *const c_char, id: *mut TrnBlock) -> TrnResult;
    /// Adds all types of a text, in its order, or none of them. docs/blocks.md describes the format. A
    /// type of the registry stays as it is if the text agrees with it, and a placeholder is filled in
    /// and keeps its id.
    /// @param text     [size] bytes, without a zero at the end; any bytes are safe
    /// @param problem  written on failure only; may be NULL
    /// Errors: BAD_ARGUMENT, CORRUPT (the text breaks the format), EXISTS (it contradicts a type of the
    /// registry), FULL, NO_MEMORY; the registry is unchanged then. Pointers: as trn_block_types_add().
    /// Cost: O(size + types of the registry); memory for a second copy of the types
    /// during the call.
    pub fn trn_block_types_load(types: *mut TrnBlockTypes, text: *const c_char, size: usize, problem: *mut TrnBlockTypesProblem) -> TrnResult;
    /// Finds the id of a name, including placeholders.
    /// @param id  receives the id; may be NULL
    /// Errors: BAD_ARGUMENT, NOT_FOUND. Cost: O(1), one hash lookup.
    pub fn trn_block_types_find(types: *const TrnBlockTypes, name: *const c_char, id: *mut TrnBlock) -> TrnResult;
    /// Returns the type of an id, never NULL: an unassigned id returns a placeholder named
    /// "terrane:missing". Valid until types are added or loaded. Cost: O(1).
    pub fn trn_block_types_get(types: *const TrnBlockTypes, id: TrnBlock) -> *const TrnBlockType;
    /// Returns another type of a block's family, such as the next turn of a stair.
    /// @param variant  0..TRN_BLOCK_VARIANTS_MAX - 1
    /// @return its id; TRN_BLOCK_AIR if the family has no such type
    /// Cost: O(1); a hash lookup if the ids of the family are not consecutive.
    pub fn trn_block_types_variant(types: *const TrnBlockTypes, block: TrnBlock, variant: u32) -> TrnBlock;
    /// Tells whether a model connects to a neighbour: an opaque block, or a model with the same
    /// `connects`.
    pub fn trn_block_model_connects(model: *const TrnBlockModel, neighbour: *const TrnBlockType) -> bool;
    /// Tells which boxes of a model are there.
    /// @param sides  bit f: the model connects to its neighbour at side f, a TrnFace
    /// @return bit i: box i is there
    pub fn trn_block_model_boxes(model: *const TrnBlockModel, sides: u32) -> u32;
    /// Returns all types.
    /// @param count  receives the number of types, at least 1; may be NULL
    /// @return [count] by id; valid until types are added or loaded
    /// Cost: O(1).
    pub fn trn_block_types_all(types: *const TrnBlockTypes, count: *mut u32) -> *const TrnBlockType;
    /// Returns the set of solid blocks: bit id % 32 of word id / 32. Every id has a bit, so callers
    /// need no bounds check. Unassigned ids are solid, until a type takes the id.
    /// @return [TRN_BLOCK_BITS_WORDS] aligned to 64 bytes; valid until the registry is destroyed
    /// Cost: O(1).
    pub fn trn_block_types_solid_bits(types: *const TrnBlockTypes) -> *const u32;
    /// Returns the set of opaque blocks, as trn_block_types_solid_bits(). Unassigned ids are opaque.
    pub fn trn_block_types_opaque_bits(types: *const TrnBlockTypes) -> *const u32;
    /// Returns the set of liquids and of plants in liquids, as trn_block_types_solid_bits(). Unassigned
    /// ids are not liquids.
    pub fn trn_block_types_liquid_bits(types: *const TrnBlockTypes) -> *const u32;
    /// Returns the set of climbable blocks, as trn_block_types_solid_bits(). Unassigned ids are not
    /// climbable.
    pub fn trn_block_types_climbable_bits(types: *const TrnBlockTypes) -> *const u32;
    /// Collects the blocks of some kinds, such as the set that a ray should hit (all kinds except air
    /// and liquid).
    /// @param kinds  1 << TrnBlockKind of each kind, ored
    /// @param bits   [TRN_BLOCK_BITS_WORDS] receives the set; caller owns. Unassigned ids count as
    ///               OPAQUE.
    /// Cost: O(types).
    pub fn trn_block_types_kind_bits(types: *const TrnBlockTypes, kinds: u32, bits: *mut u32);
    /// Returns the defaults: slots of `slot_bytes`, aligned to 16, no limit, nothing reserved.
    pub fn trn_pool_def(slot_bytes: usize) -> TrnPoolDef;
    /// Creates an empty pool. Allocates no block before the first slot.
    /// Errors: BAD_ARGUMENT, NO_MEMORY.
    pub fn trn_pool_create(def: *const TrnPoolDef, pool: *mut *mut TrnPool) -> TrnResult;
    /// Destroys a pool and all its slots. @param pool  may be NULL
    pub fn trn_pool_destroy(pool: *mut TrnPool);
    /// Allocates a slot: one that was freed since the last call, or the lowest free one of the block in
    /// use.
    /// @param id    receives the slot's id; may be NULL
    /// @param slot  receives the slot's address, stable until it is freed; contents undefined
    /// Errors: NO_MEMORY, FULL (slot_max).
    /// Cost: O(1); allocates a block when all are full. No table is ever copied or cleared as a whole.
    pub fn trn_pool_alloc(pool: *mut TrnPool, id: *mut TrnPoolId, slot: *mut *mut c_void) -> TrnResult;
    /// Frees a slot. A block that becomes empty is kept if no other empty block is, otherwise it is
    /// freed.
    /// Errors: STALE_ID; nothing changes. Cost: O(1).
    pub fn trn_pool_free(pool: *mut TrnPool, id: TrnPoolId) -> TrnResult;
    /// Returns the slot of an id, or NULL if the id is null, stale or of another pool.
    /// Threads: any, concurrently with the writer. O(1).
    pub fn trn_pool_get(pool: *const TrnPool, id: TrnPoolId) -> *mut c_void;
    /// Returns the id of a slot from its address, or the null id if this is not the address of a taken
    /// slot of this pool.
    /// @param slot  any address; it is not dereferenced
    /// Cost: O(1): arithmetic in a reserved range, otherwise at most three probes of a hash of block
    /// addresses.
    pub fn trn_pool_id(pool: *const TrnPool, slot: *const c_void) -> TrnPoolId;
    /// Walks the taken slots in index order, many at a time. Start with *cursor = 0 and call
    /// until it returns 0. The slots returned may be freed before the next call.
    /// @param out  [capacity] receives addresses; caller owns; batches of a few hundred are fastest
    /// @return how many were written; 0 at the end (or when capacity is 0)
    pub fn trn_pool_gather(pool: *const TrnPool, cursor: *mut u32, out: *mut *mut c_void, capacity: usize) -> usize;
    /// Frees all empty blocks, so that only blocks with a taken slot are left. Stale ids are still
    /// detected.
    /// Cost: O(empty blocks).
    pub fn trn_pool_trim(pool: *mut TrnPool);
    /// Returns the statistics of a pool. Threads: the writer. O(1).
    pub fn trn_pool_stats(pool: *const TrnPool) -> TrnPoolStats;
    /// Returns the defaults: no planes but present, 2^20 pages, 16 readers, at most 256 MiB of
    /// directory and 64 MiB of retired memory.
    pub fn trn_chunk_index_def() -> TrnChunkIndexDef;
    /// Creates an empty index. @param def  NULL means the defaults
    /// Errors: BAD_ARGUMENT, NO_MEMORY.
    pub fn trn_chunk_index_create(def: *const TrnChunkIndexDef, index: *mut *mut TrnChunkIndex) -> TrnResult;
    /// Destroys an index and its readers. No reader may be in a section. @param index  may be NULL
    pub fn trn_chunk_index_destroy(index: *mut TrnChunkIndex);
    /// Inserts a chunk.
    /// @param value  anything but TRN_CHUNK_VALUE_NONE
    /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, READERS, FULL; the index stays as it was. None but
    /// BAD_ARGUMENT and EXISTS if the coordinate has a bit in any plane.
    /// Cost: O(1). A new page may allocate, and continues to build the next directory if one is needed:
    /// a bounded part of it in each call, page faults of the allocator apart.
    /// A page that has become too large for its list is copied: up to 40 cells.
    pub fn trn_chunk_index_insert(index: *mut TrnChunkIndex, coord: TrnCoord, value: u32) -> TrnResult;
    /// Replaces the value of a present chunk. Concurrent readers get either the old or the new value;
    /// a reader that gets the new one also sees what the writer wrote before this call.
    /// @param value  anything but TRN_CHUNK_VALUE_NONE
    /// Errors: BAD_ARGUMENT, NOT_FOUND; the index stays as it was. Never allocates or retires memory.
    /// Threads: the writer; readers do not wait. Cost: O(1), one atomic store.
    pub fn trn_chunk_index_set(index: *mut TrnChunkIndex, coord: TrnCoord, value: u32) -> TrnResult;
    /// Looks up the value of a chunk.
    /// @param value  receives it if the chunk is present, otherwise untouched; may be NULL
    /// @return whether the chunk is present
    /// O(1), wait-free, no allocation.
    pub fn trn_chunk_index_find(index: *const TrnChunkIndex, coord: TrnCoord, value: *mut u32) -> bool;
    /// Looks up the values of many chunks, as trn_chunk_index_find does for each. Cache misses of
    /// different chunks overlap, so it takes a fraction of the time with cold caches, and in worlds of
    /// scattered chunks.
    /// @param coords  [count] in any order; the same one may occur more than once
    /// @param values  [count] receives them, TRN_CHUNK_VALUE_NONE where no chunk is; caller owns; must
    ///                not overlap `coords`
    /// @return how many of the chunks are present
    /// Threads: any, wait-free. Cost: O(count); no allocation.
    pub fn trn_chunk_index_find_many(index: *const TrnChunkIndex, coords: *const TrnCoord, count: usize, values: *mut u32) -> usize;
    /// Removes a chunk, and its bits in all planes that do not survive removal.
    /// @param value  receives the value it had; may be NULL
    /// Errors: NOT_FOUND; NO_MEMORY, READERS, if it was the last bit of its page; the index stays as it
    /// was. Cost: O(1). A page with few cells left may be copied to a list: up to 20 cells.
    pub fn trn_chunk_index_remove(index: *mut TrnChunkIndex, coord: TrnCoord, value: *mut u32) -> TrnResult;
    /// Looks up the six neighbours of a coordinate, which wrap at the ends of int32.
    /// @param values  receives them in the order of TrnFace, TRN_CHUNK_VALUE_NONE where no chunk is
    /// O(1), wait-free.
    pub fn trn_chunk_index_neighbours(index: *const TrnChunkIndex, coord: TrnCoord, values: *mut u32);
    /// Looks up a chunk and its 26 neighbours, which wrap at the ends of int32.
    /// @param values  receives them in the order of trn_coord_around, so that values[TRN_AROUND_CENTRE]
    ///                is the chunk itself; TRN_CHUNK_VALUE_NONE where no chunk is
    /// O(1), wait-free.
    pub fn trn_chunk_index_around(index: *const TrnChunkIndex, coord: TrnCoord, values: *mut u32);
    /// Returns the plane of a name, or TRN_PLANE_COUNT_MAX if no plane has it. "present" is plane 0.
    pub fn trn_chunk_index_plane(index: *const TrnChunkIndex, name: *const c_char) -> TrnPlane;
    /// Returns the name of a plane ("present" for plane 0), or NULL if the plane does not exist. Valid
    /// as long as the index.
    pub fn trn_chunk_index_plane_name(index: *const TrnChunkIndex, plane: TrnPlane) -> *const c_char;
    /// Sets or clears the bit of a coordinate, whether a chunk is present or not.
    /// Errors: BAD_ARGUMENT (no such plane, or TRN_PLANE_PRESENT, which insert and remove maintain);
    /// setting also NO_MEMORY, READERS, FULL, if the coordinate has no bit in any plane yet.
    pub fn trn_chunk_index_plane_set(index: *mut TrnChunkIndex, plane: TrnPlane, coord: TrnCoord, bit: bool) -> TrnResult;
    /// Sets or clears all bits of a box. Setting creates pages for the whole box. If these are more
    /// than page_max, it returns FULL and changes nothing; if it fails later, some bits have been set.
    /// Clearing cannot fail, and costs O(existing pages in the box).
    /// Errors: as trn_chunk_index_plane_set.
    pub fn trn_chunk_index_plane_fill(index: *mut TrnChunkIndex, plane: TrnPlane, box_: TrnBox, bit: bool) -> TrnResult;
    /// Returns the bit of a coordinate; false for a plane that does not exist. O(1), wait-free.
    pub fn trn_chunk_index_plane_test(index: *const TrnChunkIndex, plane: TrnPlane, coord: TrnCoord) -> bool;
    /// Sets a plane to the answer of a query, for all coordinates at once, such as "loaded, and all six
    /// neighbours loaded".
    /// Errors: BAD_ARGUMENT (TRN_PLANE_PRESENT, a plane that does not exist, an empty `all`, or a
    /// result plane that the query tests at neighbours).
    /// Cost: some ten word operations per 64 cells and plane of the query.
    pub fn trn_chunk_index_plane_compute(index: *mut TrnChunkIndex, plane: TrnPlane, query: *const TrnPlaneQuery) -> TrnResult;
    /// Makes the frustum of a camera from its matrix, for a gather of what it sees.
    /// @param matrix   [16] turns voxels, relative to `origin`, into clip coordinates: projection times
    ///                 view. Far planes at infinity are fine.
    /// @param order    how its numbers lie in memory
    /// @param depth    which depths are inside
    /// @param origin   the point that the matrix's (0, 0, 0) stands for: the camera, if the game draws
    ///                 relative to it, or the corner of a chunk
    /// @param frustum  receives six planes
    /// Errors: BAD_ARGUMENT (NULL; a number that is not finite; a matrix without an inverse).
    /// Threads: any. Cost: O(1); no allocation. Source: G. Gribb and K. Hartmann, "Fast Extraction of
    /// Viewing Frustum Planes from the World-View-Projection Matrix", 2001.
    pub fn trn_frustum_from_matrix(matrix: *const f32, order: TrnMatrixOrder, depth: TrnClipDepth, origin: TrnPosition, frustum: *mut TrnFrustum) -> TrnResult;
    /// Gathers chunks, page by page: those of the directory in memory order (x fastest, then z, then
    /// y), then those of outlier pages, by coordinates if the box has fewer pages than there are
    /// outlier pages, otherwise in the order in which they became outliers; within a page x fastest,
    /// then z, then y. The same calls give the same order, whatever the hash key. (But if a reader
    /// stays in one section while a page enters the directory and leaves it again, that page keeps its
    /// former place among the outliers.) With values, pointers or ids it finds only present chunks;
    /// with coordinates alone it also finds absent ones, if the planes select them.
    /// @return how many coordinates match; only the first `capacity` are written, and elements between
    /// that number and `capacity` are undefined. 0 for an invalid gather (pointers without a pool).
    /// Threads: any, wait-free. Cost: O(pages in the box + chunks found); no allocation.
    pub fn trn_chunk_index_gather(index: *const TrnChunkIndex, gather: *const TrnChunkGather) -> usize;
    #[link_name = "trnx_chunk_index_gather_box"]
    /// Gathers the values of all chunks of a box.
    /// @param values  [capacity] receives them; caller owns; may be NULL when capacity is 0
    /// @return how many chunks the box holds; only the first `capacity` are written
    pub fn trn_chunk_index_gather_box(index: *const TrnChunkIndex, box_: TrnBox, values: *mut u32, capacity: usize) -> usize;
    #[link_name = "trnx_box_everything"]
    /// Returns the box of all coordinates, for gathering everything.
    pub fn trn_box_everything() -> TrnBox;
    /// Gathers the six neighbours of every chunk of a box.
    /// @param values      [capacity] receives the chunks' own values, in the order of
    ///                    trn_chunk_index_gather; may be NULL
    /// @param neighbours  [capacity] receives each chunk's neighbours in the order of TrnFace,
    ///                    TRN_CHUNK_VALUE_NONE where no chunk is
    /// @return how many chunks the box holds; only the first `capacity` are written
    /// Threads: any, wait-free. Cost: O(pages in the box + chunks found); no allocation.
    pub fn trn_chunk_index_gather_neighbours(index: *const TrnChunkIndex, box_: TrnBox, values: *mut u32, neighbours: *mut [u32; 6], capacity: usize) -> usize;
    /// Removes all chunks, clears all planes and drops what was reserved.
    /// Errors: NO_MEMORY, READERS; the index stays as it was.
    pub fn trn_chunk_index_clear(index: *mut TrnChunkIndex) -> TrnResult;
    /// Extends the directory over a box, so that inserts there do not grow it. From then on it never
    /// shrinks, until trn_chunk_index_clear. Cost: O(cells of the box), in this call.
    /// Errors: BAD_ARGUMENT (an empty box), OUT_OF_RANGE (would exceed directory_bytes_max), NO_MEMORY,
    /// READERS.
    pub fn trn_chunk_index_reserve(index: *mut TrnChunkIndex, box_: TrnBox) -> TrnResult;
    /// Registers a reader; one thread uses it at a time. Any thread may call this.
    /// @param name  for trn_chunk_index_slowest_reader; copied, cut off after TRN_READER_NAME_BYTES - 1
    ///              bytes; NULL or "" means "reader"
    /// Errors: FULL (reader_max).
    pub fn trn_chunk_index_reader_create(index: *mut TrnChunkIndex, name: *const c_char, reader: *mut *mut TrnChunkReader) -> TrnResult;
    /// Unregisters a reader, and ends its section if it is in one. @param reader  may be NULL
    pub fn trn_chunk_index_reader_destroy(reader: *mut TrnChunkReader);
    /// Begins a read section. Sections do not nest. Keep them short (a frame, a job), because retired
    /// memory is kept meanwhile. Wait-free; about the cost of one atomic store.
    pub fn trn_chunk_index_read_begin(reader: *mut TrnChunkReader);
    /// Ends a read section: everything found in it may become invalid. Wait-free.
    pub fn trn_chunk_index_read_end(reader: *mut TrnChunkReader);
    /// Finds the reader that has kept retired memory for longest.
    /// @param name  receives its name, if there is one; may be NULL
    /// @return whether there is one. With a name also false if that reader ended its section meanwhile
    /// Threads: the writer, while other threads register and destroy readers. Cost: O(reader_max),
    /// wait-free.
    pub fn trn_chunk_index_slowest_reader(index: *const TrnChunkIndex, name: *mut c_char) -> bool;
    /// Reclaims retired memory that no reader can see any more. Writes that retire do so themselves;
    /// call this when the writer pauses.
    pub fn trn_chunk_index_reclaim(index: *mut TrnChunkIndex);
    /// Returns the statistics of an index. Threads: the writer. Cost: O(pages), because it counts bits.
    pub fn trn_chunk_index_stats(index: *const TrnChunkIndex) -> TrnChunkIndexStats;
    #[link_name = "trnx_voxels_snapshot"]
    /// Takes a snapshot of a chunk.
    /// Threads: any, inside a read section. Cost: O(1), wait-free.
    pub fn trn_voxels_snapshot(voxels: *const TrnVoxels) -> TrnSnapshot;
    #[link_name = "trnx_snapshot_of"]
    /// Makes a snapshot of a uniform chunk that no store holds, to stand for a chunk that is not
    /// loaded.
    /// Threads: any, without a section.
    pub fn trn_snapshot_of(block: TrnBlock, revision: u64) -> TrnSnapshot;
    #[link_name = "trnx_snapshot_is_uniform"]
    /// Tells whether all voxels are the same block.
    pub fn trn_snapshot_is_uniform(snapshot: TrnSnapshot) -> bool;
    #[link_name = "trnx_snapshot_uniform"]
    /// Returns the block of a uniform snapshot.
    pub fn trn_snapshot_uniform(snapshot: TrnSnapshot) -> TrnBlock;
    #[link_name = "trnx_snapshot_revision"]
    /// Returns the revision of the change that made the snapshot.
    pub fn trn_snapshot_revision(snapshot: TrnSnapshot) -> u64;
    /// Returns the bits a voxel where the chunk needs most: 0 (uniform), 1, 2, 4, 8 or 16. Each 16 rows
    /// have a width of their own. Cost: O(TRN_CHUNK_HALVES).
    pub fn trn_snapshot_bits(snapshot: TrnSnapshot) -> u32;
    #[link_name = "trnx_snapshot_get"]
    /// Returns one block.
    /// @param index  linear index, 0..32767 (trn_local_index); higher bits are ignored
    /// Cost: O(1); the only branches are on the width.
    pub fn trn_snapshot_get(snapshot: TrnSnapshot, index: u32) -> TrnBlock;
    /// Writes all blocks in linear order.
    /// @param blocks  [TRN_CHUNK_VOXELS]; caller owns
    /// Cost: O(TRN_CHUNK_VOXELS): writes 64 KiB.
    pub fn trn_snapshot_decode(snapshot: TrnSnapshot, blocks: *mut TrnBlock);
    /// Writes the 32 blocks of one row along x.
    /// @param y,z     local, 0..31; higher bits are ignored
    /// @param blocks  [32]; caller owns
    pub fn trn_snapshot_decode_row(snapshot: TrnSnapshot, y: u32, z: u32, blocks: *mut TrnBlock);
    /// Lists the blocks that occur, in ascending order, with their numbers of voxels.
    /// @param counts  [capacity]; caller owns
    /// @return the number of different blocks, 1..32768; only the first `capacity` are written
    /// Cost: O(palette). With 16 bits, one pass over the chunk for every 4096 ids
    /// between the lowest and the highest.
    pub fn trn_snapshot_counts(snapshot: TrnSnapshot, counts: *mut TrnBlockCount, capacity: u32) -> u32;
    /// Counts the voxels of one block. Cost: O(palette); with 16 bits one pass over the chunk.
    pub fn trn_snapshot_count(snapshot: TrnSnapshot, block: TrnBlock) -> u32;
    /// Returns 16 rows of the mask of solid voxels.
    /// @param solid_bits  [TRN_BLOCK_BITS_WORDS] the bits that the heap was created with; only read for
    ///                    uniform chunks
    /// @param half        half-layer, 0..63; that of a voxel is its linear index >> 9
    /// @return [TRN_HALF_ROWS] rows, valid as long as the snapshot; static for uniform chunks
    /// Cost: O(1).
    pub fn trn_snapshot_solid(snapshot: TrnSnapshot, solid_bits: *const u32, half: u32) -> *const u32;
    /// Returns 16 rows of the mask of opaque voxels, which hide what is behind them. As
    /// trn_snapshot_solid.
    pub fn trn_snapshot_opaque(snapshot: TrnSnapshot, opaque_bits: *const u32, half: u32) -> *const u32;
    /// Copies the whole mask of solid voxels.
    /// @param solid_bits  as in trn_snapshot_solid
    /// @param rows        [TRN_CHUNK_ROWS] bit x of row y * 32 + z is the voxel at x, y, z; caller owns
    /// Cost: O(TRN_CHUNK_ROWS): writes 4 KiB.
    pub fn trn_snapshot_solid_rows(snapshot: TrnSnapshot, solid_bits: *const u32, rows: *mut u32);
    /// Copies the whole mask of opaque voxels. As trn_snapshot_solid_rows.
    pub fn trn_snapshot_opaque_rows(snapshot: TrnSnapshot, opaque_bits: *const u32, rows: *mut u32);
    /// Tells whether a chunk may hold a block of a set, such as the blocks that tick.
    /// @param block_bits  [TRN_BLOCK_BITS_WORDS] block b belongs to the set if bit b % 32 of word
    ///                    b / 32 is set
    /// @return false: no voxel holds one. True, and wrongly so, for more than 256 types, and for blocks
    /// that the chunk held before an edit for which memory was short
    /// Cost: O(palette).
    pub fn trn_snapshot_may_hold(snapshot: TrnSnapshot, block_bits: *const u32) -> bool;
    /// Finds the voxels that hold a block of a set.
    /// @param block_bits  as in trn_snapshot_may_hold
    /// @param row,count   consecutive rows, y * 32 + z; row + count is at most TRN_CHUNK_ROWS
    /// @param rows        [count] receives bit x of each row: the voxel is in the set; caller owns
    /// Cost: O(palette + count).
    pub fn trn_snapshot_match(snapshot: TrnSnapshot, block_bits: *const u32, row: u32, count: u32, rows: *mut u32);
    /// Extracts the outermost layer of a mask at one face.
    /// @param mask  [TRN_CHUNK_ROWS] rows, as from trn_snapshot_solid_rows
    /// @param rows  [32]; caller owns. Faces along x: row y, bit z. Along y: row z, bit x. Along z: row
    ///              y, bit x.
    pub fn trn_mask_border(mask: *const u32, face: TrnFace, rows: *mut u32);
    /// Tells whether two snapshots hold the same blocks. Widths, palettes and revisions do not matter.
    /// Cost: O(1) for the same snapshot; otherwise O(TRN_CHUNK_VOXELS).
    pub fn trn_snapshot_equal(a: TrnSnapshot, b: TrnSnapshot) -> bool;
    /// Finds the voxels that differ between two snapshots. Widths and palettes do not matter.
    /// @param rows  [TRN_CHUNK_ROWS] receives one bit a differing voxel; caller owns
    /// @return the number of differing voxels
    /// Cost: the same snapshot only clears the rows; O(bytes of the voxels) if the palettes match;
    /// otherwise some ten times that, and O(types of one * types of the other).
    pub fn trn_snapshot_diff(a: TrnSnapshot, b: TrnSnapshot, rows: *mut u32) -> u32;
    /// Finds the chunks that voxels of a mask touch: the chunk itself, and neighbours at faces, edges
    /// and corners whose border is adjacent to such a voxel.
    /// @param mask  [TRN_CHUNK_ROWS] rows of one chunk
    /// @return bit 13: the chunk itself (any bit is set). The other 26 bits: its neighbours, in the
    /// order of trn_store_snapshot_around (x fastest, then z, then y). 0 for an empty mask.
    pub fn trn_mask_around(mask: *const u32) -> u32;
    /// Hashes the blocks. The same on every machine and for every width and palette; may change between
    /// versions. Not safe against attackers. Cost: O(TRN_CHUNK_VOXELS).
    pub fn trn_snapshot_hash(snapshot: TrnSnapshot) -> u64;
    /// Returns default settings: no cap, no readers, every block except 0 solid and opaque.
    pub fn trn_voxel_heap_def() -> TrnVoxelHeapDef;
    /// Creates a heap: the payload memory for the chunks of one world, with one pool a size class. An
    /// empty heap takes about 120 KiB.
    /// @param def   NULL means trn_voxel_heap_def()
    /// @param heap  receives the heap; the caller destroys it
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty heap takes).
    pub fn trn_voxel_heap_create(def: *const TrnVoxelHeapDef, heap: *mut *mut TrnVoxelHeap) -> TrnResult;
    /// Frees all payloads, including those of chunks. No reader may be in a section and no edit open.
    /// @param heap  may be NULL
    pub fn trn_voxel_heap_destroy(heap: *mut TrnVoxelHeap);
    /// Frees all memory blocks that hold no payload. Without this call each size class keeps one empty
    /// block, and all classes together 8 MiB more. The heap trims by itself when it reaches bytes_max
    /// or the allocator fails.
    pub fn trn_voxel_heap_trim(heap: *mut TrnVoxelHeap);
    /// Returns the figures of a heap. Threads: the writer. Cost: O(1).
    pub fn trn_voxel_heap_stats(heap: *const TrnVoxelHeap) -> TrnVoxelHeapStats;
    /// Replaces all blocks of a chunk.
    /// @param blocks    [TRN_CHUNK_VOXELS] in linear order
    /// @param revision  of this change
    /// Errors: NO_MEMORY, FULL (bytes_max), READERS (bytes_max, and readers hold retired payloads); the
    /// chunk is unchanged then.
    /// Threads: the writer. Cost: O(TRN_CHUNK_VOXELS): reads 64 KiB; least for up to 16 types.
    pub fn trn_voxels_encode(heap: *mut TrnVoxelHeap, voxels: *mut TrnVoxels, blocks: *const TrnBlock, revision: u64) -> TrnResult;
    /// Makes the chunk uniform and retires its payload. A user of a heap without a store also calls
    /// this with air for a chunk that is removed. Threads: the writer. Cannot fail. Cost: O(1).
    pub fn trn_voxels_fill(heap: *mut TrnVoxelHeap, voxels: *mut TrnVoxels, block: TrnBlock, revision: u64);
    /// Shrinks a chunk to the least memory that holds its blocks, without unused palette entries.
    /// Commits already narrow chunks; this is for chunks for which memory was short then. Blocks and
    /// revision stay. No edit of the chunk may be open.
    /// Errors: NO_MEMORY, FULL, READERS; the chunk is unchanged then. Threads: the writer.
    pub fn trn_voxels_compact(heap: *mut TrnVoxelHeap, voxels: *mut TrnVoxels) -> TrnResult;
    /// Encodes blocks in place, without touching the heap: the costly half of trn_voxels_encode, for
    /// worker threads. What a code contains is the library's own: it stands for the blocks until
    /// trn_voxels_decode reads it in the same process. Its blocks are ids of one world, and its masks
    /// depend on the kinds of the block types.
    /// @param heap    only its block kinds are read
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order, aligned to 64 bytes. CODED overwrites them:
    ///                the code takes the first 5 to 42 KiB, and the rest is undefined. Otherwise they
    ///                are unchanged.
    /// Threads: any number, each with its own blocks, while no thread adds block types. 96 KiB of
    /// stack.
    /// Cost: 1.1 times that of trn_voxels_encode.
    pub fn trn_voxels_code(heap: *const TrnVoxelHeap, blocks: *mut TrnBlock) -> TrnVoxelCode;
    /// Replaces all blocks of a chunk by those of a code. The result is the same as that of
    /// trn_voxels_encode with the original blocks.
    /// @param code  from trn_voxels_code with the same block kinds, aligned to 64 bytes; only read. The
    ///              header is checked, the content is not: pass only bytes that you trust.
    /// Errors: as trn_voxels_encode, and BAD_ARGUMENT (not a code); the chunk is unchanged then.
    /// Threads: the writer. Cost: one copy.
    pub fn trn_voxels_decode(heap: *mut TrnVoxelHeap, voxels: *mut TrnVoxels, code: *const c_void, revision: u64) -> TrnResult;
    /// Opens an edit. End it with trn_voxel_edit_commit or trn_voxel_edit_cancel.
    /// @param edit  caller owns; needs no initial value
    /// Cannot fail. Cost: O(1).
    pub fn trn_voxel_edit_begin(edit: *mut TrnVoxelEdit, heap: *mut TrnVoxelHeap, voxels: *mut TrnVoxels);
    /// Returns the block at a linear index, including changes of this edit.
    /// @param index  0..32767 (trn_local_index); higher bits are ignored
    /// Cost: O(1).
    pub fn trn_voxel_edit_get(edit: *const TrnVoxelEdit, index: u32) -> TrnBlock;
    /// Writes one block.
    /// @param index  0..32767 (trn_local_index)
    /// Cost: O(1); O(palette) for a block that is new to the chunk, and one pass over the chunk if that
    /// widens it. Alternating between blocks whose ids are equal modulo 256 costs twice as much.
    pub fn trn_voxel_edit_set(edit: *mut TrnVoxelEdit, index: u32, block: TrnBlock) -> TrnResult;
    /// Writes one block into every voxel of a box.
    /// @param min,max  local x, y, z, both inclusive
    /// Errors: BAD_ARGUMENT also if the box is empty or leaves the chunk.
    /// Cost: O(rows); O(1) for the whole chunk.
    pub fn trn_voxel_edit_fill_box(edit: *mut TrnVoxelEdit, min: *const u32, max: *const u32, block: TrnBlock) -> TrnResult;
    /// Writes one block into every voxel of a mask, such as a sphere, a brush or the result of a diff.
    /// @param mask  [TRN_CHUNK_ROWS] rows: bit x of row y * 32 + z is the voxel at x, y, z. Must not be
    ///              a mask of this chunk.
    /// Cost: O(rows), up to four times as much with more than 32 types; least for a full or empty mask.
    pub fn trn_voxel_edit_fill_mask(edit: *mut TrnVoxelEdit, mask: *const u32, block: TrnBlock) -> TrnResult;
    /// Copies a box of blocks out of a snapshot: of another chunk, of this chunk before the edit, or of
    /// another heap with the same block ids.
    /// @param to    local x, y, z of the lowest voxel written
    /// @param from  local x, y, z of the lowest voxel read
    /// @param size  voxels along x, y, z, each 1..32
    /// Errors: BAD_ARGUMENT also if a box leaves its chunk.
    /// Cost: O(voxels of the box); more with over 256 types.
    pub fn trn_voxel_edit_copy_box(edit: *mut TrnVoxelEdit, to: *const u32, source: TrnSnapshot, from: *const u32, size: *const u32) -> TrnResult;
    /// Replaces every `from` by `to`.
    /// Cost: O(palette) if the chunk has no `to` and both are equally solid and opaque; otherwise one
    /// pass over the chunk.
    pub fn trn_voxel_edit_replace(edit: *mut TrnVoxelEdit, from: TrnBlock, to: TrnBlock) -> TrnResult;
    /// Replaces all blocks.
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order
    pub fn trn_voxel_edit_encode(edit: *mut TrnVoxelEdit, blocks: *const TrnBlock) -> TrnResult;
    /// Publishes the changes under a revision, in the narrowest form that memory allows, retires the
    /// old payload, and ends the edit. An edit of block data alone keeps the form. Cannot fail.
    /// @return whether anything was published: false if no call changed a block; the chunk and its
    /// revision are unchanged then
    /// Cost: O(palette); one pass over the chunk if the width changes. With 16 bits one pass over the
    /// chunk. With block data and changed blocks, also O(data), or one pass over the chunk. An edit of
    /// block data alone: O(parts of the table that it changed).
    pub fn trn_voxel_edit_commit(edit: *mut TrnVoxelEdit, revision: u64) -> bool;
    /// Drops the changes and ends the edit. Does nothing if the edit is not open.
    pub fn trn_voxel_edit_cancel(edit: *mut TrnVoxelEdit);
    /// Finds the data of a voxel.
    /// @param index  linear index, 0..32767; higher bits are ignored
    /// @param data   receives it; untouched if there is none; may be NULL
    /// @return whether the voxel has data; it may have 0 bytes
    /// Threads: any, inside a read section. Cost: O(log of the chunk's data), wait-free; O(1) if the
    /// chunk has none.
    pub fn trn_snapshot_get_data(snapshot: TrnSnapshot, index: u32, data: *mut TrnBlockData) -> bool;
    /// Returns how many voxels have data. O(1).
    pub fn trn_snapshot_count_data(snapshot: TrnSnapshot) -> u32;
    /// Lists the data of a box, in linear order.
    /// @param min,max  local x, y, z, both inclusive; voxels outside the chunk have no data
    /// @param out      [capacity] receives the data; caller owns the array, the snapshot the bytes
    /// @return how many voxels of the box have data; only the first `capacity` are written
    /// Threads: any, inside a read section. Cost: O(data of the layers that the box touches and of one
    /// part more).
    pub fn trn_snapshot_list_data(snapshot: TrnSnapshot, min: *const u32, max: *const u32, out: *mut TrnBlockData, capacity: u32) -> u32;
    /// Tells whether two snapshots have the same data: the same voxels, bytes and rules. Does not
    /// compare blocks; trn_snapshot_equal compares nothing else.
    /// Cost: O(data); parts and bytes that both share are not read.
    pub fn trn_snapshot_equal_data(a: TrnSnapshot, b: TrnSnapshot) -> bool;
    /// Sets the data of a voxel. It belongs to the block that the edit has there now.
    /// @param index  0..32767 (trn_local_index)
    /// @param bytes  [size] copied; NULL removes the data, and `size` and `rule` are ignored
    /// @param size   0..TRN_DATA_BYTES_MAX
    /// Errors: as trn_voxel_edit_set; BAD_ARGUMENT also for an unknown rule; FULL also if the data is
    /// larger than TRN_DATA_BYTES_MAX, the chunk would have more than TRN_DATA_CHUNK_BYTES_MAX, or
    /// TRN_DATA_VOXELS_MAX of its voxels have data already.
    /// Setting the bytes and the rule that are there already changes nothing.
    /// Cost: a copy of the bytes and of one part, at most 4 KiB. The first call of an edit also copies
    /// the packed voxels and at most 1 KiB of the table. A table of which a part has grown too full is
    /// divided: O(data of the chunk), four times on the way to TRN_DATA_VOXELS_MAX.
    pub fn trn_voxel_edit_set_data(edit: *mut TrnVoxelEdit, index: u32, bytes: *const c_void, size: usize, rule: TrnDataRule) -> TrnResult;
    /// Finds the data of a voxel, including changes of this edit. Data whose block the edit has changed
    /// counts as removed.
    /// @param data  as trn_snapshot_get_data; valid until the edit's next call
    pub fn trn_voxel_edit_get_data(edit: *const TrnVoxelEdit, index: u32, data: *mut TrnBlockData) -> bool;
    /// Returns the defaults: no caps, 16 readers, no user bytes, no planes, block types of its own.
    pub fn trn_store_def() -> TrnStoreDef;
    /// Creates an empty store.
    /// @param def    copied; NULL means trn_store_def()
    /// @param store  receives the store; the caller destroys it
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty store takes).
    pub fn trn_store_create(def: *const TrnStoreDef, store: *mut *mut TrnStore) -> TrnResult;
    /// Frees the store with all its chunks. No reader may be in a section, and no edit or batch open.
    /// Destroy histories first. Registered readers become invalid. Listeners are not called.
    /// @param store  may be NULL
    pub fn trn_store_destroy(store: *mut TrnStore);
    /// The index of the store: for readers, for gathers of every kind, and to set your own planes. Its
    /// values are slots of trn_store_pool(). Insert and remove chunks through the store alone, and
    /// never set their values.
    pub fn trn_store_index(store: *const TrnStore) -> *mut TrnChunkIndex;
    /// The pool of the chunks, for gathers of pointers and ids from the index.
    pub fn trn_store_pool(store: *const TrnStore) -> *const TrnPool;
    /// What the block ids stand for: the def's types, or the store's own. The writer may add types
    /// while there are no concurrent readers.
    pub fn trn_store_block_types(store: *const TrnStore) -> *mut TrnBlockTypes;
    /// The heap of the voxels, for its figures by size class and to trim it. Change chunks through the
    /// store alone.
    pub fn trn_store_voxel_heap(store: *const TrnStore) -> *mut TrnVoxelHeap;
    /// Inserts a chunk of one block, and applies the edits that are pending for it (terrane/batch.h).
    /// The chunk gets a revision of its own, even if an earlier chunk was at its coordinate.
    /// @param chunk  receives the chunk, or NULL if a listener has removed it; may be NULL; untouched
    /// on
    ///               failure
    /// Errors: EXISTS, NO_MEMORY, FULL (bytes_max, chunk_max, 2^20 pages of the index),
    /// READERS (removed chunks or pages count against a cap, and a reader's section delays their
    /// reclaim); the store is then as it was. Cost: O(1).
    pub fn trn_store_insert_uniform(store: *mut TrnStore, coord: TrnCoord, block: TrnBlock, chunk: *mut *mut TrnChunk) -> TrnResult;
    /// Inserts a chunk with its voxels, and applies the edits that are pending for it. Use it for
    /// generated and loaded voxels: written after the insert, they would overwrite pending edits.
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
    /// @param chunk   as trn_store_insert_uniform
    /// Errors: as trn_store_insert_uniform; BAD_ARGUMENT (no blocks).
    /// Cost: that of trn_voxels_encode.
    pub fn trn_store_insert_voxels(store: *mut TrnStore, coord: TrnCoord, blocks: *const TrnBlock, chunk: *mut *mut TrnChunk) -> TrnResult;
    /// Inserts a chunk with its voxels and their block data (terrane/block_data.h), as
    /// trn_store_insert_voxels.
    /// @param blocks   [TRN_CHUNK_VOXELS] in linear order, or blocks[0] alone if `uniform`
    /// @param uniform  every voxel is blocks[0]
    /// @param data     [count] in any order; the bytes are copied; may be NULL if count is 0
    /// @param chunk    as trn_store_insert_uniform
    /// Errors: as trn_store_insert_voxels; BAD_ARGUMENT also if data has no bytes or is outside the
    /// chunk; FULL also if it is beyond the limits of a chunk. The store is then as it was.
    /// Cost: that of trn_store_insert_voxels, a copy of the payload, and one allocation for each data.
    pub fn trn_store_insert_data(store: *mut TrnStore, coord: TrnCoord, blocks: *const TrnBlock, uniform: bool, data: *const TrnBlockData, count: usize, chunk: *mut *mut TrnChunk) -> TrnResult;
    /// Removes a chunk and its voxels. End its edits first. Its memory is reclaimed once listeners have
    /// been called and no reader sees it.
    /// Errors: NOT_FOUND, BUSY (pinned, or open in a batch), NO_MEMORY, FULL, READERS (the index
    /// retires memory too, up to a cap), and those of a watch that refuses, such as a stream's whose
    /// save failed; the chunk then stays loaded, unchanged. Cost: O(1), and that of saving it.
    pub fn trn_store_remove(store: *mut TrnStore, coord: TrnCoord) -> TrnResult;
    /// Pins a chunk: it is not removed or evicted until it is unpinned as often. It can be changed.
    /// O(1).
    pub fn trn_store_pin(store: *mut TrnStore, chunk: *mut TrnChunk);
    /// Takes back one trn_store_pin() of a chunk. O(1).
    pub fn trn_store_unpin(store: *mut TrnStore, chunk: *mut TrnChunk);
    /// The chunk at a coordinate, or NULL. O(1), wait-free.
    pub fn trn_store_find(store: *const TrnStore, coord: TrnCoord) -> *mut TrnChunk;
    /// The chunk of an id, or NULL where the id is null or its chunk was removed. O(1), wait-free.
    pub fn trn_store_chunk(store: *const TrnStore, id: TrnChunkId) -> *mut TrnChunk;
    /// Collects the loaded chunks of a box, page by page (8 x 8 x 8 chunks; inside a page, x fastest,
    /// then z, then y).
    /// @param box  chunk coordinates, both corners inclusive
    /// @param out  [capacity] receives the chunks; caller owns the array, the store the chunks
    /// @return how many chunks the box holds; only the first `capacity` are written
    /// Concurrently with the writer: every chunk that was loaded throughout the call, and none that was
    /// not loaded at any time in it.
    /// Cost: O(pages of the box + chunks found); no allocation. For frustums, planes, ids or
    /// coordinates use trn_chunk_index_gather() with trn_store_index().
    pub fn trn_store_gather(store: *const TrnStore, box_: TrnBox, out: *mut *mut TrnChunk, capacity: usize) -> usize;
    /// The six face neighbours of a coordinate in the order of TrnFace, NULL where one is not loaded.
    /// O(1), wait-free.
    pub fn trn_store_neighbours(store: *const TrnStore, coord: TrnCoord, out: *mut *mut TrnChunk);
    /// Whether every chunk that a box of voxels touches is loaded and has its bit in a plane: "is the
    /// ground under this body loaded?" with TRN_PLANE_PRESENT, "is it meshed?" with one of your own.
    /// @param min,max  both inclusive
    /// @return also false where the box is empty or leaves the world, or the plane does not exist
    /// Cost: O(chunks of the box), up to the first that fails; wait-free.
    pub fn trn_store_box_has(store: *const TrnStore, min: TrnVoxel, max: TrnVoxel, plane: TrnPlane) -> bool;
    #[link_name = "trnx_chunk_user"]
    /// Your bytes of a chunk (TrnStoreDef.user_bytes), aligned to 16. Valid as long as the chunk.
    pub fn trn_chunk_user(chunk: *mut TrnChunk) -> *mut c_void;
    #[link_name = "trnx_chunk_revision"]
    /// The revision of the last change of a chunk's voxels. Revisions count up over the whole store.
    /// Two changes never share one; all chunks of a change get the same: those of a batch of edits, and
    /// those that a stream inserts together. O(1).
    pub fn trn_chunk_revision(chunk: *const TrnChunk) -> u64;
    /// The revision of the last change that is published in full. A reader that reads it first and then
    /// takes snapshots has seen every batch in full or not at all, if no snapshot has a greater
    /// revision. If one has, take them again. O(1), wait-free.
    pub fn trn_store_revision(store: *const TrnStore) -> u64;
    /// A snapshot of the chunk at a coordinate. Errors: NOT_FOUND. O(1), wait-free.
    pub fn trn_store_snapshot(store: *const TrnStore, coord: TrnCoord, snapshot: *mut TrnSnapshot) -> TrnResult;
    /// Snapshots of a chunk and its 26 neighbours, which wrap at the ends of int32.
    /// @param out  receives them: x fastest, then z, then y; the chunk itself is at TRN_AROUND_CENTRE.
    ///             Where a chunk is not loaded: air at revision 0
    /// @return which of them are loaded: bit i for out[i]
    /// The writer may publish a change between two of the snapshots. O(1), wait-free: 27 look-ups.
    pub fn trn_store_snapshot_around(store: *const TrnStore, coord: TrnCoord, out: *mut TrnSnapshot) -> u32;
    /// As trn_store_get_block(), with the voxel as three numbers.
    pub fn trn_store_get_block_at(store: *const TrnStore, x: i64, y: i64, z: i64, block: *mut TrnBlock) -> TrnResult;
    #[link_name = "trnx_store_get_block"]
    /// The block of a voxel. For many adjacent voxels, a cursor is four times as fast.
    /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
    /// Cost: O(1), wait-free; anywhere in a view that exceeds the caches, some 8 times as much as near
    /// the last voxel.
    pub fn trn_store_get_block(store: *const TrnStore, voxel: TrnVoxel, block: *mut TrnBlock) -> TrnResult;
    /// The block data of a voxel (terrane/block_data.h). On a reader's thread the bytes are valid until
    /// the section ends, on the writer's until the chunk is changed or removed.
    /// @param data  receives it; untouched on failure
    /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded, or it has none).
    /// Cost: O(log of the chunk's data), wait-free.
    pub fn trn_store_get_data(store: *const TrnStore, voxel: TrnVoxel, data: *mut TrnBlockData) -> TrnResult;
    /// Lists the block data of a box of voxels, chunk by chunk and in linear order in each.
    /// @param min,max  both inclusive; the part outside the world has none
    /// @param out      [capacity] receives it; caller owns the array
    /// @return how many voxels of the loaded chunks of the box have data; only the first `capacity` are
    /// written; 0 where the box is empty
    /// Concurrently with the writer: of each chunk what it holds at one moment.
    /// Cost: that of trn_store_gather, some times over if the box has more than 64 loaded chunks, and
    /// O(data); no allocation. A box of any size is fine.
    pub fn trn_store_list_data(store: *const TrnStore, min: TrnVoxel, max: TrnVoxel, out: *mut TrnVoxelData, capacity: usize) -> usize;
    /// Returns a cursor that has not read anything yet. O(1).
    /// @param store  borrowed: it must outlive the cursor
    pub fn trn_cursor(store: *const TrnStore) -> TrnCursor;
    /// Called by trn_cursor_find() when the voxel is in another chunk than the last one. Takes the
    /// voxel in registers.
    pub fn trn_cursor_move(cursor: *mut TrnCursor, x: i64, y: i64, z: i64) -> *const TrnVoxels;
    #[link_name = "trnx_cursor_find"]
    /// The voxels of the chunk that holds a voxel; NULL where it is not loaded, or the voxel is outside
    /// the world.
    pub fn trn_cursor_find(cursor: *mut TrnCursor, voxel: TrnVoxel) -> *const TrnVoxels;
    #[link_name = "trnx_cursor_get"]
    /// The block of a voxel, or `unloaded` where its chunk is not loaded, or the voxel is outside the
    /// world. Cost: O(1), a quarter of trn_store_get_block near the last voxel.
    pub fn trn_cursor_get(cursor: *mut TrnCursor, voxel: TrnVoxel, unloaded: TrnBlock) -> TrnBlock;
    /// Writes the block of a voxel: an edit of one block, which copies and publishes the payload for
    /// it. For more than one, open an edit. Writing the block that is there already changes nothing,
    /// not even the revision.
    /// @param is_changed  receives whether the block was another one; may be NULL; untouched on failure
    /// Errors: also BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
    /// Cost: O(bytes of the chunk's voxels), which are copied: some 5 KB of generated land. Up to 5
    /// times as much where the caches do not hold the chunk.
    pub fn trn_store_set_block(store: *mut TrnStore, voxel: TrnVoxel, block: TrnBlock, is_changed: *mut bool) -> TrnResult;
    /// Sets or removes the block data of a voxel: an edit of one voxel, which copies and publishes the
    /// payload for it. See trn_voxel_edit_set_data.
    /// @param bytes       [size] copied; NULL removes the data
    /// @param is_changed  receives whether the data was another one; may be NULL; untouched on failure
    /// Errors: also BAD_ARGUMENT (outside the world, or an unknown rule), NOT_FOUND (its chunk is not
    /// loaded); FULL also beyond the limits of a voxel or chunk. Cost: as trn_store_set_block and
    /// trn_voxel_edit_set_data.
    pub fn trn_store_set_data(store: *mut TrnStore, voxel: TrnVoxel, bytes: *const c_void, size: usize, rule: TrnDataRule, is_changed: *mut bool) -> TrnResult;
    /// Opens an edit of one chunk: continue with trn_voxel_edit_set, _fill_box, _copy_box, _replace and
    /// _encode. Readers see none of it before the commit, and all of it after.
    /// @param edit  the caller's memory
    /// Errors: BUSY; the edit is then not open, and all its calls fail. O(1).
    pub fn trn_store_edit_begin(store: *mut TrnStore, chunk: *mut TrnChunk, edit: *mut TrnVoxelEdit) -> TrnResult;
    /// Publishes an edit's changes under the store's next revision, and ends the edit. To discard them,
    /// call trn_voxel_edit_cancel() instead. Cannot fail. Cost: as trn_voxel_edit_commit.
    /// @return whether a block changed; if not, nothing is published, and the revision stays
    pub fn trn_store_edit_commit(store: *mut TrnStore, edit: *mut TrnVoxelEdit) -> bool;
    /// Replaces all voxels of a chunk.
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
    /// Cost: that of trn_voxels_encode.
    pub fn trn_store_set_voxels(store: *mut TrnStore, chunk: *mut TrnChunk, blocks: *const TrnBlock) -> TrnResult;
    /// Makes all voxels of a chunk one block. Errors: BUSY; the others only if the chunk has block
    /// data. O(1), or O(data).
    pub fn trn_store_fill(store: *mut TrnStore, chunk: *mut TrnChunk, block: TrnBlock) -> TrnResult;
    /// Stores a chunk in the least memory that holds its blocks. Commits do so themselves, unless they
    /// lack the memory for it. Blocks and revision stay.
    pub fn trn_store_compact(store: *mut TrnStore, chunk: *mut TrnChunk) -> TrnResult;
    /// Collects the chunks that changed after a revision, inserted ones included, in the order of their
    /// last changes. It cannot name removed chunks; listeners can.
    /// @param revision  of trn_store_revision(), from an earlier call; 0 collects all chunks
    /// @param out       [capacity] receives the chunks; caller owns the array
    /// @return how many there are; only the first `capacity` are written
    /// Threads: the writer. Cost: O(log of all chunks + chunks found).
    pub fn trn_store_changed_since(store: *const TrnStore, revision: u64, out: *mut *mut TrnChunk, capacity: usize) -> usize;
    /// Adds a listener. Listeners are called in the order in which they subscribed.
    /// @param kinds  ored TRN_EVENT_BITs
    /// Errors: BAD_ARGUMENT (no or unknown kinds, no listener), EXISTS (this listener is subscribed
    /// with this user), NO_MEMORY, FULL.
    pub fn trn_store_subscribe(store: *mut TrnStore, kinds: u32, listener: Option<TrnListener>, user: *mut c_void) -> TrnResult;
    /// Removes a listener. It is not called again, not even for queued events. Errors: NOT_FOUND.
    pub fn trn_store_unsubscribe(store: *mut TrnStore, listener: Option<TrnListener>, user: *mut c_void) -> TrnResult;
    /// Adds a watch. O(1).
    /// @param watch  borrowed until trn_store_unwatch; not added yet
    pub fn trn_store_watch(store: *mut TrnStore, watch: *mut TrnStoreWatch);
    /// Removes a watch. Does nothing if it was not added. O(watches).
    pub fn trn_store_unwatch(store: *mut TrnStore, watch: *mut TrnStoreWatch);
    /// Marks chunks as recently used: seen, walked on, meshed. By default, eviction removes the least
    /// recently touched chunks first.
    /// @param chunks  [count] of this store, none of them NULL
    /// Cost: O(1) each; at times 256 chunks of the order of eviction are moved.
    pub fn trn_store_touch(store: *mut TrnStore, chunks: *const *mut TrnChunk, count: usize);
    /// Evicts chunks until the store uses, or has allocated, few enough bytes. Pinned chunks and those
    /// open in a batch stay, as do those that a watch refuses to let go, such as a stream's whose save
    /// failed. Listeners receive each as REMOVED (is_eviction) while it can still be read. Evicts at
    /// most as many chunks as were loaded at first, even if listeners insert them again.
    /// @param evicted  receives how many were evicted; may be NULL; written on every result
    /// Errors: BAD_ARGUMENT; FULL (no more chunks may go, or count_max was reached, before the bytes
    /// were few enough); READERS (the same, and memory waits for a reader); NO_MEMORY; that of a watch
    /// which refused a chunk, if the bytes are not few enough without it. What was evicted by then is
    /// gone. Called by a listener, OK may mean that bytes are freed when the listener returns.
    /// Cost: O(1) for each evicted or refused, and for each pinned since the last eviction; O(chunks)
    /// for every 512 evicted or refused in an `order` of the caller's.
    pub fn trn_store_evict(store: *mut TrnStore, eviction: *const TrnEviction, evicted: *mut u32) -> TrnResult;
    /// Why a chunk is or is not loaded, and what keeps it. Threads: the writer. Cost: O(1).
    pub fn trn_store_explain(store: *const TrnStore, coord: TrnCoord) -> TrnExplanation;
    /// Returns spare memory to the allocator: pool blocks without a taken slot, spare capacity of lists
    /// and queues, and retired memory that no reader can see any more. Before the store refuses an
    /// allocation for bytes_max, it frees what the current call is not using of this.
    pub fn trn_store_trim(store: *mut TrnStore);
    /// Returns the figures of a store. Threads: the writer. Cost: O(listeners).
    pub fn trn_store_stats(store: *const TrnStore) -> TrnStoreStats;
    /// Changes TrnStoreDef.bytes_max, for a store that shares a budget with other code. If more is
    /// allocated already, nothing is freed; allocations are refused until enough is.
    /// Threads: the writer. O(1).
    pub fn trn_store_set_bytes_max(store: *mut TrnStore, bytes_max: usize);
    /// Returns the default: edits of unloaded chunks become pending, no history.
    pub fn trn_batch_def() -> TrnBatchDef;
    /// Begins a batch. Several can be open, but only one of them can have a given chunk open.
    /// @param def    NULL means trn_batch_def()
    /// @param batch  receives it, and NULL on failure; ends with trn_batch_commit or trn_batch_cancel
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS. O(1).
    pub fn trn_batch_begin(store: *mut TrnStore, def: *const TrnBatchDef, batch: *mut *mut TrnBatch) -> TrnResult;
    /// Publishes all changes under one revision, makes edits of unloaded chunks pending, adds them to
    /// the history, and calls listeners. Ends the batch, whatever the result.
    /// @param batch    NULL: BAD_ARGUMENT
    /// @param outcome  receives what the commit did; may be NULL; untouched on failure
    /// Errors: that of an earlier call; BUSY (another batch has a chunk open that was inserted after
    /// this batch edited it); NO_MEMORY, FULL, READERS. Store and history are then as they were before
    /// the batch.
    /// Cost: that of trn_voxel_edit_commit for each chunk. Listeners and a history
    /// add O(1) for each chunk, and a history O(changed voxels): some 1.5 times in all.
    pub fn trn_batch_commit(batch: *mut TrnBatch, outcome: *mut TrnBatchOutcome) -> TrnResult;
    /// Discards the batch. @param batch  may be NULL
    pub fn trn_batch_cancel(batch: *mut TrnBatch);
    /// Writes one block. Outside the world: BAD_ARGUMENT.
    /// A batch notes the first 16 blocks of a chunk and writes them later, so that what memory refuses
    /// a block may be the result of a later call, or of the commit. Cost: O(1), least in the chunk of
    /// the call before. The commit copies the voxels of each chunk.
    pub fn trn_batch_set(batch: *mut TrnBatch, voxel: TrnVoxel, block: TrnBlock) -> TrnResult;
    /// Writes one block into every voxel of a box. The part outside the world is ignored.
    /// @param min,max  both inclusive; BAD_ARGUMENT where the box is empty
    /// Cost: O(rows) for each chunk at its border, O(1) for each inside. A box of any size is
    /// fine with TRN_UNLOADED_SKIP, which visits loaded chunks only. With TRN_UNLOADED_PENDING a box is
    /// refused at once (FULL) if it has more unloaded chunks than can have pending edits: within their
    /// bytes_max, within the store's, and at most 2^24 unless both are set.
    pub fn trn_batch_fill_box(batch: *mut TrnBatch, min: TrnVoxel, max: TrnVoxel, block: TrnBlock) -> TrnResult;
    /// Writes one block into every voxel whose centre is at most `radius` from the centre of a voxel.
    /// The part outside the world is ignored.
    /// @param centre  may lie outside the world
    /// @param radius  voxels, 0..TRN_SPHERE_RADIUS_MAX; 0 is the one voxel
    /// Cost: as trn_batch_fill_box.
    pub fn trn_batch_fill_sphere(batch: *mut TrnBatch, centre: TrnVoxel, radius: f64, block: TrnBlock) -> TrnResult;
    /// The open edit of one chunk, for what terrane/voxels.h can do with one: encode, copy, replace,
    /// masks. The batch commits or cancels it. If one of its calls fails, cancel the batch.
    /// @param edit  receives it; valid until the batch ends
    /// Errors: also NOT_FOUND, whatever the def says. O(1).
    pub fn trn_batch_edit(batch: *mut TrnBatch, coord: TrnCoord, edit: *mut *mut TrnVoxelEdit) -> TrnResult;
    /// Sets or removes the block data of a voxel (terrane/block_data.h). It belongs to the block that
    /// the batch has there now, so write the block first.
    /// @param bytes  [size] copied; NULL removes the data
    /// Errors: also NOT_FOUND (the chunk is not loaded, unless the policy is TRN_UNLOADED_SKIP), FULL
    /// (beyond the limits of a voxel or chunk). Cost: as trn_voxel_edit_set_data.
    pub fn trn_batch_set_data(batch: *mut TrnBatch, voxel: TrnVoxel, bytes: *const c_void, size: usize, rule: TrnDataRule) -> TrnResult;
    /// The block data of a voxel, with the changes of this batch.
    /// @param data  receives it; valid until the batch's next call
    /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (the chunk is not loaded, or the voxel has
    /// none); the batch does not fail by them.
    pub fn trn_batch_get_data(batch: *const TrnBatch, voxel: TrnVoxel, data: *mut TrnBlockData) -> TrnResult;
    /// The block of a voxel, with the changes of this batch, except pending ones.
    /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND; the batch does not fail by them.
    pub fn trn_batch_get(batch: *const TrnBatch, voxel: TrnVoxel, block: *mut TrnBlock) -> TrnResult;
    /// Sets the most bytes that pending edits of a store may take, open batches' included. Edits that
    /// need more are refused with FULL; edits that are pending already stay, even above the new cap.
    /// @param bytes_max  0: no cap but the store's bytes_max. 16 MiB until this is called.
    /// Errors: NO_MEMORY, FULL, READERS (the first call for a store allocates).
    pub fn trn_pending_set_bytes_max(store: *mut TrnStore, bytes_max: usize) -> TrnResult;
    /// Collects the unloaded chunks with pending edits, for example to load them.
    /// @param coords  [capacity] receives chunk coordinates, in the order in which they
    ///                got edits; caller owns
    /// @return how many there are; only the first `capacity` are written
    pub fn trn_pending_chunks(store: *const TrnStore, coords: *mut TrnCoord, capacity: usize) -> usize;
    /// Collects the edits that are pending for a chunk, in the order in which they are applied, for
    /// example to save them: terrane/save.h does.
    /// @param runs  [capacity] receives them; caller owns
    /// @return how many there are; only the first `capacity` are written
    pub fn trn_pending_get(store: *const TrnStore, coord: TrnCoord, runs: *mut TrnPendingRun, capacity: usize) -> usize;
    /// Returns how many runs of pending edits a loaded chunk took up when it was inserted; 0 if it is
    /// not loaded. O(1).
    pub fn trn_pending_applied(store: *const TrnStore, coord: TrnCoord) -> u32;
    /// Edits runs of voxels of one chunk, such as those of trn_pending_get, in their order.
    /// @param runs  [count]
    /// Errors: those of all that edit; BAD_ARGUMENT also if a run ends before it begins or behind the
    /// chunk. Cost: as trn_voxel_edit_set or trn_voxel_edit_fill_mask, whichever suits.
    pub fn trn_batch_set_runs(batch: *mut TrnBatch, coord: TrnCoord, runs: *const TrnPendingRun, count: usize) -> TrnResult;
    /// Drops all edits that are pending for a chunk. Undoing them then does nothing.
    /// @return how many runs of voxels they were
    pub fn trn_pending_drop(store: *mut TrnStore, coord: TrnCoord) -> u32;
    /// Returns the figures of a store. O(1).
    pub fn trn_edits_stats(store: *const TrnStore) -> TrnEditsStats;
    /// Tests which kinds of blocks a box overlaps. Sharing only a face is no overlap.
    /// @param bottom  the middle of the bottom face
    /// @param size    extent along x, y, z, each 0..TRN_BODY_SIZE_MAX; all 0 is a point, which lies in
    ///                one voxel
    /// @param overlap  receives the answer; untouched on failure
    /// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset below 0 or not
    /// below 32).
    /// Cost: O(overlapped voxels); no allocation.
    pub fn trn_store_overlap(store: *const TrnStore, bottom: TrnPosition, size: *const f64, overlap: *mut TrnOverlap) -> TrnResult;
    /// Moves a box until something solid stops it, then slides it along the obstacle: first vertically,
    /// then along the longer of the two horizontal axes (x if they are equal), then along the other.
    /// Chunks that are not loaded and space outside the world are solid. A box never ends inside
    /// something solid unless it started there; then it can leave what it overlaps but cannot enter
    /// anything else.
    /// @param bottom       the middle of the bottom face
    /// @param size         extent along x, y, z, each above 0, at most TRN_BODY_SIZE_MAX
    /// @param motion       voxels along x, y, z, each at most TRN_SWEEP_MAX
    /// @param step_height  0..size[1]. A box that stands on something solid and is stopped sideways
    ///                     climbs by as little as lets it move on, at most this high: a block needs
    ///                     1, a slab or stair 0.5. Beyond the step it comes down again, at most as
    ///                     far as it climbed. One sweep can climb several steps (a staircase)
    /// @param sweep        receives how it ended; untouched on failure
    /// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset below 0 or not
    /// below 32).
    /// Cost: O(layers of voxels that the motion crosses, times the body's face); no allocation.
    pub fn trn_store_sweep(store: *const TrnStore, bottom: TrnPosition, size: *const f64, motion: *const f64, step_height: f64, sweep: *mut TrnSweep) -> TrnResult;
    /// A person of 0.6 x 1.8 x 0.6 voxels, as usual in voxel games, with the speeds above; floats with
    /// a fifth of its height above the surface. Walks up slabs and stairs without jumping, and whole
    /// blocks if you set step_height to 1.
    pub fn trn_body_def() -> TrnBodyDef;
    /// Advances a body by one time step: gravity, walking, jumping, swimming, climbing, then a sweep
    /// with sliding. On a ladder there is no gravity.
    ///
    /// Chunks that are not loaded stop a body, which sets `waits`. Its velocity[] stays as it was, and
    /// the body goes on with it once they are loaded. Where the chunk of the position is not loaded, or
    /// such a chunk ends a fall, the body does not move at all until then, unless it climbs or swims
    /// up. Where one stops it sideways or from above, the other axes go on, so that it can turn back.
    /// @param body     changed; untouched on failure
    /// @param input    NULL: no input
    /// @param seconds  0..TRN_BODY_STEP_MAX. Equal sequences of steps give equal results on every
    ///                 machine; use a fixed time step, such as 1/60 s, for that
    /// Errors: BAD_ARGUMENT (a number that is not finite or out of range).
    /// Cost: a few sweeps (trn_store_sweep), most where the body climbs or slides; no allocation.
    pub fn trn_body_step(store: *const TrnStore, def: *const TrnBodyDef, body: *mut TrnBody, input: *const TrnBodyInput, seconds: f64) -> TrnResult;
    #[link_name = "trnx_page_coord"]
    /// Returns the page coordinates of a chunk.
    pub fn trn_page_coord(chunk: TrnCoord) -> TrnCoord;
    #[link_name = "trnx_page_chunks"]
    /// Returns the chunks of a page. @param page  page coordinates, as trn_page_coord returns them
    pub fn trn_page_chunks(page: TrnCoord) -> TrnBox;
    #[link_name = "trnx_page_words_test"]
    /// Returns the bit of a chunk in a plane of its page.
    /// @param words  as trn_chunk_index_page_plane writes them
    pub fn trn_page_words_test(words: *const u64, chunk: TrnCoord) -> bool;
    /// Lists the pages that a box reaches into: those of the directory in memory order (x fastest, then
    /// z, then y), then outlier pages, in the order of trn_chunk_index_gather.
    /// @param box  chunk coordinates, both corners inclusive
    /// @param out  [capacity] receives them; caller owns; may be NULL when capacity is 0
    /// @return how many pages match; only the first `capacity` are written
    /// While the writer runs, it lists every page that existed throughout the call. Counts are read
    /// word by word, so words of one count may differ in age.
    /// Threads: as gathers, wait-free. Cost: O(directory cells in the box + planes of pages
    /// written).
    pub fn trn_chunk_index_pages(index: *const TrnChunkIndex, box_: TrnBox, out: *mut TrnPageFigures, capacity: usize) -> usize;
    /// Copies the bits of a plane in the page of a chunk; trn_page_words_test reads them.
    /// @param words  receives one word per y, from the lowest; in it x runs fastest, then z. Zeroes if
    ///               the page or the plane does not exist
    /// @return whether both exist
    /// Threads: as trn_chunk_index_plane_test. O(1), wait-free.
    pub fn trn_chunk_index_page_plane(index: *const TrnChunkIndex, chunk: TrnCoord, plane: TrnPlane, words: *mut u64) -> bool;
    /// Copies the last reshapes, oldest first. @return how many, at most TRN_DIRECTORY_STEPS_MAX
    /// Threads: the writer. O(1).
    pub fn trn_chunk_index_directory_steps(index: *const TrnChunkIndex, out: *mut TrnDirectoryStep) -> usize;
    /// Takes a base: a snapshot of every loaded chunk of a box.
    /// @param box   at most TRN_DELTA_BOX_MAX chunks
    /// @param base  [capacity] receives it: x fastest, then z, then y; caller owns
    /// @return how many chunks of the box are loaded; only the first `capacity` are written; 0 also for
    /// an empty or too large box
    /// Threads: any, inside a read section that stays open as long as the base is used. Such a section
    /// delays the reclaim of memory that is replaced meanwhile, so keep it for a fraction of a second.
    /// Cost: O(chunks of the box).
    pub fn trn_delta_base(store: *const TrnStore, box_: TrnBox, base: *mut TrnDeltaBase, capacity: usize) -> usize;
    /// Writes what differs between a base and the store.
    /// @param box    that of the base
    /// @param base   [count] from trn_delta_base
    /// @param bytes  [capacity] receives the delta; caller owns; may be NULL if capacity is 0
    /// @return the size of the whole delta: at least 2. If it is more than `capacity`, `bytes` has its
    /// beginning alone. 0 if an argument is bad: the box is empty or too large, or the base is not in
    /// the order of trn_delta_base or has chunks outside the box
    /// Threads: any, inside the base's read section. Concurrently with the writer: of each chunk what
    /// it holds at one moment. Needs TRN_STACK_BYTES of stack; no allocation.
    /// Cost: O(chunks of the box), a comparison of snapshots for each that has changed, and O(runs of
    /// voxels that differ).
    pub fn trn_delta_write(store: *const TrnStore, box_: TrnBox, base: *const TrnDeltaBase, count: usize, bytes: *mut c_void, capacity: usize) -> usize;
    /// Applies a delta: inserts whole chunks or replaces them where they are loaded, writes what
    /// changed as one batch, and removes chunks. Chunks to remove that are not loaded are skipped.
    /// @param bytes    [size] any bytes are safe: they are checked before anything is changed
    /// @param outcome  receives what the delta did; may be NULL; untouched on failure
    /// Errors: BAD_ARGUMENT; CORRUPT (no delta, or of another version); NOT_FOUND (a changed chunk is
    /// not loaded: ask the sender for whole chunks, with an empty base); BUSY, NO_MEMORY, FULL, READERS
    /// as of batches and inserts. The store is then as it was, but for chunks whose removal failed:
    /// everything else of the delta is applied then, and applying it again removes them.
    /// Threads: the writer's. Needs TRN_STACK_BYTES of stack.
    /// Cost: O(size), and that of the inserts and the batch.
    pub fn trn_delta_apply(store: *mut TrnStore, bytes: *const c_void, size: usize, outcome: *mut TrnDeltaOutcome) -> TrnResult;
    #[link_name = "trnx_generator_def"]
    /// Returns a generator of level 0 alone, without a ceiling; set its fields for more.
    /// @param generate  generates one chunk
    /// @param user      passed to it; borrowed: must outlive the generator's use
    pub fn trn_generator_def(generate: Option<TrnGenerateFn>, user: *mut c_void) -> TrnGenerator;
    /// Generates a chunk. Takes the parameters of TrnGenerateFn and checks them before it calls the
    /// generator.
    /// @param generator  borrowed for the call
    /// Errors: BAD_ARGUMENT (a NULL, a level above level_max, a chunk outside the world), and any error
    /// of the generator; `blocks` and `uniform` are then undefined.
    /// Threads: any number, as TrnGenerateFn requires. Cost: the generator's.
    pub fn trn_generator_generate(generator: *const TrnGenerator, coord: TrnCoord, level: u32, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult;
    #[link_name = "trnx_light_level"]
    /// Returns a level.
    /// @param x,y,z  local, -1..32
    pub fn trn_light_level(light: *const TrnLight, x: i32, y: i32, z: i32) -> u32;
    /// Creates a solver.
    /// @param allocator  copied; NULL means malloc
    /// @param solver     receives the solver; the caller destroys it
    /// Errors: BAD_ARGUMENT, NO_MEMORY.
    pub fn trn_light_solver_create(allocator: *const TrnAllocator, solver: *mut *mut TrnLightSolver) -> TrnResult;
    /// Frees a solver. @param solver  may be NULL
    pub fn trn_light_solver_destroy(solver: *mut TrnLightSolver);
    /// Sets the chunk that the functions below solve for. They read its voxels.
    /// @param around  [TRN_AROUND_COUNT] the chunk and its neighbours, as trn_store_snapshot_around()
    ///                writes them; valid as long as this chunk is solved
    /// @param types   borrowed as long
    /// Cost: O(1).
    pub fn trn_light_read(solver: *mut TrnLightSolver, around: *const TrnSnapshot, types: *const TrnBlockTypes);
    /// Solves the light of the sky.
    /// @param open_sky  [9] for the columns of chunks, x fastest, then z: which columns of voxels are
    ///                  open above the upper chunks: [TRN_CHUNK_EDGE] rows by z, bit x. NULL, also for
    ///                  one of them: all are open
    /// Cost: O(voxels that light reaches), at most twice that of a chunk of hills where much is water;
    /// O(1) if all chunks are uniform and clear, or all uniform and opaque; O(columns) if none is open.
    pub fn trn_light_sky(solver: *mut TrnLightSolver, open_sky: *const *const u32, light: *mut TrnLight);
    /// Solves the light of blocks.
    /// @param emission  [TRN_BLOCK_TYPES_MAX] the level that each block emits, such as one colour of
    ///                  it; more than 15 counts as 15. NULL: TrnBlockType.light
    /// Cost: O(voxels that light reaches), half of that where only one block emits; O(types) if no
    /// block within reach does. A chunk with more than 256 types is read voxel by voxel: some 2.5 times
    /// as much.
    pub fn trn_light_blocks(solver: *mut TrnLightSolver, emission: *const u8, light: *mut TrnLight);
    /// Tells how far a change of a chunk's voxels changes light.
    /// @return which of the 27 chunks around must be solved again, in the order of `around`; 0 if every
    ///         voxel lets light pass and emits it as before. What the sky lights below this chunk
    ///         changes too where trn_light_open_columns() changes
    /// Threads: any. Cost: that of trn_snapshot_diff, and O(changed voxels).
    pub fn trn_light_reach(before: TrnSnapshot, after: TrnSnapshot, types: *const TrnBlockTypes) -> u32;
    /// Tells which columns of a chunk the sky shines through: those without a voxel that is opaque or
    /// dims. The columns that are open above a chunk are those that are open through all chunks above.
    /// @param open  [TRN_CHUNK_EDGE] rows by z, bit x
    /// Threads: any. Cost: O(types); O(rows) if the chunk has blocks that dim.
    pub fn trn_light_open_columns(voxels: TrnSnapshot, types: *const TrnBlockTypes, open: *mut u32);
    /// Whether the result of the work is no longer needed. A slow hook may then return early; the
    /// stream ignores its result. Any thread. Cost: one atomic load.
    pub fn trn_stream_job_is_cancelled(job: *const TrnStreamJob) -> bool;
    #[link_name = "trnx_stream_job_set_data"]
    /// Sets block data of the chunk that a load or generate hook makes (terrane/block_data.h), which is
    /// inserted with it. Data that goes with its block belongs to the block that the hook writes there.
    /// @param data  copied
    /// Errors: those of TrnDataSink.set; the hook then returns them.
    pub fn trn_stream_job_set_data(job: *const TrnStreamJob, data: *const TrnBlockData) -> TrnResult;
    /// Hashes a part of a mesh, for TrnStreamMesh.hash. The same bytes have the same hash within one
    /// stream alone.
    /// @param before  the hash of the part before it; 0: this is the first
    /// @return never 0
    /// Threads: any. Cost: O(size).
    pub fn trn_stream_mesh_hash(job: *const TrnStreamJob, bytes: *const c_void, size: usize, before: u64) -> u64;
    /// Returns the defaults: no store, no hooks, 5 % of the time between updates, at least 0.8 ms (so
    /// that at 60 updates a second one in a thousand stays below 1 ms), no byte limit, a queue of 8
    /// MiB, a hysteresis of 2 chunks, default workers, 5 nice levels above the thread that creates the
    /// stream.
    pub fn trn_stream_def() -> TrnStreamDef;
    /// Returns how many workers a stream of this def has at most, for memory of their own: the hooks
    /// see TrnStreamJob.worker 0..this, so a game needs one scratch more than workers. A stream has
    /// fewer if threads cannot be started or the store has no reader left for them.
    /// @param def  NULL means trn_stream_def()
    /// Threads: any. Cost: O(1), with a question to the system about its cores.
    pub fn trn_stream_workers(def: *const TrnStreamDef) -> u32;
    /// Creates a stream. Chunks that the store holds already are taken over when a view reaches them,
    /// and count as unsaved.
    /// @param def     with a store, and a generator or a generate hook
    /// @param stream  receives the stream; the caller destroys it before the store
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is smaller than an empty stream plus what the
    /// store holds).
    pub fn trn_stream_create(def: *const TrnStreamDef, stream: *mut *mut TrnStream) -> TrnResult;
    /// Cancels all work, waits for running hooks, drops all meshes, and leaves the chunks in the store.
    /// It saves nothing: call trn_stream_save first. It restores the store's previous bytes_max.
    /// @param stream  may be NULL
    pub fn trn_stream_destroy(stream: *mut TrnStream);
    /// Returns an anchor at the origin, at rest, without a direction of view, radius 16, height 4.
    pub fn trn_stream_anchor() -> TrnStreamAnchor;
    /// Adds an anchor. Takes effect with the next update.
    /// Errors: BAD_ARGUMENT (a number that is not finite, an offset outside 0..32, a radius or height
    /// beyond the maximum), NO_MEMORY, FULL. Cost: O(1).
    pub fn trn_stream_anchor_add(stream: *mut TrnStream, anchor: *const TrnStreamAnchor, id: *mut TrnStreamAnchorId) -> TrnResult;
    /// Moves, turns or resizes an anchor with the next update. A move of up to two chunks along each
    /// axis costs the chunks that differ. After a longer move, a new view starts around the anchor
    /// while the old one dissolves; chunks that the new view has reached by then stay.
    /// Errors: STALE_ID, BAD_ARGUMENT; the anchor is then unchanged. Cost: O(1).
    pub fn trn_stream_anchor_set(stream: *mut TrnStream, id: TrnStreamAnchorId, anchor: *const TrnStreamAnchor) -> TrnResult;
    /// Removes an anchor. Its view dissolves over the next updates, except where other views overlap
    /// it.
    /// Errors: BAD_ARGUMENT (NULL), STALE_ID. Cost: O(rows of its view), plus its chunks where other
    /// views are near.
    pub fn trn_stream_anchor_remove(stream: *mut TrnStream, id: TrnStreamAnchorId) -> TrnResult;
    /// Reports how far an anchor's view reaches. Errors: BAD_ARGUMENT (NULL), STALE_ID. Cost: O(1).
    pub fn trn_stream_view(stream: *const TrnStream, id: TrnStreamAnchorId, view: *mut TrnStreamView) -> TrnResult;
    /// Moves the views, applies what workers have finished, and issues the next work. Call it once a
    /// frame.
    /// @param budget  NULL: the def's budget
    /// @param report  receives what the update did; may be NULL
    /// @return OK; BAD_ARGUMENT (without a stream, or a budget out of range); otherwise the last of
    ///         several problems (NO_MEMORY, FULL, READERS, or a hook's result). The stream continues
    ///         and retries.
    /// Cost: the budget. In addition, for each anchor that enters another chunk, O(chunks that enter
    /// and leave its view), which grows with the square of the radius. Each such chunk is compared with
    /// the views near it: O(log views), so that the cost is linear in the anchors that move.
    pub fn trn_stream_update(stream: *mut TrnStream, budget: *const TrnStreamBudget, report: *mut TrnStreamReport) -> TrnResult;
    /// Updates a stream until it is idle, without limits of time and bytes: for tests, tools and
    /// loading screens that need not draw. Waits for workers between updates. Each update applies what
    /// came before, so a few suffice for most views.
    /// @param updates_max  the most updates that it makes
    /// Errors: BAD_ARGUMENT (without a stream), BUSY (not idle after updates_max, as with a chunk that
    /// waits for a save); if the last update failed, its result.
    /// Cost: all work of the views.
    pub fn trn_stream_settle(stream: *mut TrnStream, updates_max: u32) -> TrnResult;
    /// Saves all unsaved chunks now, on the calling thread. Waits for saves that run on workers.
    /// @return OK; BAD_ARGUMENT without a stream; otherwise the result of the last save that failed:
    ///         those chunks stay unsaved
    pub fn trn_stream_save(stream: *mut TrnStream) -> TrnResult;
    /// Meshes and uploads all shown chunks again, for example after the graphics card lost its meshes,
    /// or when they should look different. Old meshes stay until upload replaces them. A chunk whose
    /// mesh is already being built is not meshed twice. It generates and saves nothing. Takes effect
    /// with the next updates.
    /// @param stream  may be NULL
    /// Cost: O(chunks).
    pub fn trn_stream_remesh(stream: *mut TrnStream);
    /// Waits until workers have finished the work issued to them, also that of a far view's levels; the
    /// next updates apply it. For tests, and before the store moves to another thread.
    pub fn trn_stream_wait(stream: *mut TrnStream);
    /// Sets how many bytes the hooks use for themselves now: caches, scratch of workers. They count
    /// against bytes_max. Any value is accepted; too large a value shrinks views. Cost: O(1).
    pub fn trn_stream_set_scratch(stream: *mut TrnStream, bytes: usize);
    /// Reports whether the ground under a body is loaded, and after a teleport how much of it: loaded /
    /// chunks is the progress. Let a body walk only where is_loaded is true.
    /// @param min,max  corners, both inclusive; voxels outside the world are ignored
    /// Cost: O(pages of the box).
    pub fn trn_stream_readiness(stream: *const TrnStream, min: TrnVoxel, max: TrnVoxel) -> TrnStreamReadiness;
    /// Returns the stream's own index, for gathers; its values are private. Its planes are "wanted" (a
    /// view holds the chunk), "show" (a view shows the chunk), "loaded" (in the store), "shown" (with a
    /// current mesh), "remesh" (needs a mesh and is not queued yet), and "unsaved".
    pub fn trn_stream_index(stream: *const TrnStream) -> *const TrnChunkIndex;
    /// Returns the light of a voxel, for creatures, plants and the like.
    /// @param sky     receives the level of sky light, 0..15; of an opaque voxel 0
    /// @param blocks  receives the level of the light of blocks; of an opaque voxel what it emits
    /// Errors: BAD_ARGUMENT (outside the world, or without TrnStreamDef.keep_light), NOT_FOUND (its
    /// chunk was not meshed yet). After an edit, the light is that of before until the mesh is done.
    /// Cost: O(1), a look-up.
    pub fn trn_stream_get_light(stream: *const TrnStream, voxel: TrnVoxel, sky: *mut u32, blocks: *mut u32) -> TrnResult;
    /// Explains why a chunk is or is not loaded and shown. Cost: O(views); queue_position is O(those
    /// before it of the same priority).
    pub fn trn_stream_explain(stream: *const TrnStream, coord: TrnCoord) -> TrnStreamExplanation;
    /// Returns a snapshot of the figures. Cost: O(anchors).
    pub fn trn_stream_stats(stream: *const TrnStream) -> TrnStreamStats;
    /// Returns the bytes that count against bytes_max now. Cost: O(1).
    pub fn trn_stream_bytes(stream: *const TrnStream) -> usize;
    /// Clears all times, for example after a cold start.
    pub fn trn_stream_reset_times(stream: *mut TrnStream);
    /// Returns the view that ends at a distance, with a height of 3. Levels get 5/8 of level 0's
    /// radius: 10 for 16 chunks. So level 1 ends 4 chunks beyond level 0, and a voxel's size on screen
    /// is at most 1.6 times that of level 1 where it begins.
    /// @param distance_chunks  in chunks of level 0
    /// @param radius_chunks    of level 0's view; 0 counts as 1
    /// @return levels is at least 1. A distance beyond what TRN_FAR_LEVEL_MAX levels reach gives what
    ///         they do.
    pub fn trn_far_view_to(distance_chunks: u32, radius_chunks: u32) -> TrnFarView;
    /// Returns the defaults: trn_far_view_to(128, 16), no light, a stream's default budget, no byte
    /// limit of its own, a hysteresis of 1 chunk, stores without user bytes.
    pub fn trn_far_def() -> TrnFarDef;
    /// Creates a far view. Chunks that level 0 shows already are drawn at once. Its unsaved changes and
    /// pending edits count as edits of now.
    /// @param def       copied
    /// @param far_view  receives the far view; the caller destroys it before the stream
    /// Errors: BAD_ARGUMENT (no stream, mesh hook or generator; a view beyond its limits, or levels
    /// beyond the generator's), EXISTS (the stream has a far view), NO_MEMORY, FULL (bytes_max holds
    /// no empty levels). Cost: O(chunks that level 0 shows).
    pub fn trn_far_create(def: *const TrnFarDef, far_view: *mut *mut TrnFar) -> TrnResult;
    /// Draws all that level 0 shows, in place of coarser chunks, and frees the levels with their chunks
    /// and meshes; `draw` takes back what was drawn of them, and `unload` is not called. It saves
    /// nothing: call trn_far_save first.
    /// @param far_view  may be NULL
    pub fn trn_far_destroy(far_view: *mut TrnFar);
    /// Moves the levels' views to level 0's anchors, applies what workers have finished, and issues the
    /// next work. Call it once a frame, after trn_stream_update.
    /// @param budget  for level 0 and all levels together, the finest first (TrnFarDef.budget); NULL:
    ///                the def's
    /// @param report  receives the sum over the levels; may be NULL
    /// @return OK; BAD_ARGUMENT (without a far view, or a budget out of range); otherwise the last of
    ///         several problems (NO_MEMORY, FULL, READERS, or a hook's result). The far view continues
    ///         and retries.
    /// Cost: the budget.
    pub fn trn_far_update(far_view: *mut TrnFar, budget: *const TrnStreamBudget, report: *mut TrnStreamReport) -> TrnResult;
    /// Changes how far the view reaches, from the next update on. A level that is no longer part of it
    /// is freed at once as in trn_far_destroy(), unsaved changes included: call trn_far_save first.
    /// Errors: BAD_ARGUMENT (as in create), NO_MEMORY, FULL; the view is then as before. Cost: O(1), or
    /// O(chunks) of the levels that are freed.
    pub fn trn_far_set_view(far_view: *mut TrnFar, view: *const TrnFarView) -> TrnResult;
    /// Returns how far the view should reach. O(1).
    pub fn trn_far_view(far_view: *const TrnFar) -> TrnFarView;
    /// Folds all edits that have not reached the coarser levels, then saves the levels' unsaved chunks,
    /// on the calling thread, as trn_stream_save(). Coarse chunks that are not loaded are saved with
    /// their edits, if TrnFarDef.source both loads and saves; otherwise these stay pending in the
    /// level's store. A level whose pending edits are full is saved before more are added, so one call
    /// saves all. Pending edits of level 0 are the game's to save (trn_save_pending).
    /// Cost: O(chunks to fold and to save); each is loaded or generated, with its parent.
    /// @return OK; BAD_ARGUMENT without a far view; otherwise the result of the last step that failed.
    ///         Those chunks stay as they were, and TrnFarStats.unsaved says how many they are
    pub fn trn_far_save(far_view: *mut TrnFar) -> TrnResult;
    /// Meshes and uploads all chunks of the coarser levels again, as trn_stream_remesh().
    /// @param far_view  may be NULL
    pub fn trn_far_remesh(far_view: *mut TrnFar);
    /// The store of a level, to find chunks in and for its planes; for voxels see
    /// TrnFarDef.keeps_voxels. The far view is its writer.
    /// @param level  1..levels; NULL for others. 0: level 0's store
    pub fn trn_far_store(far_view: *const TrnFar, level: u32) -> *mut TrnStore;
    /// Returns whether a chunk's mesh should be drawn, which is what TrnFarDef.draw last said of it.
    /// @param level  0..levels; false for others
    /// Cost: O(levels), a look-up each.
    pub fn trn_far_is_drawn(far_view: *const TrnFar, level: u32, coord: TrnCoord) -> bool;
    /// Returns the figures. Cost: O(pages) of all levels.
    pub fn trn_far_stats(far_view: *const TrnFar) -> TrnFarStats;
    /// Returns a generator of the ground with its features. Where two write one voxel, the feature of
    /// the chunk that comes later has it, in the order x fastest, then z, then y; of one chunk, the
    /// later call. The ceiling is higher by the reach.
    ///
    /// A voxel of a coarse level has what a feature wrote into any of the voxels that it covers, so
    /// that walls, roofs and trunks are whole from afar, and up to a coarse voxel thicker. Air that a
    /// feature writes has no effect there: the rooms of a house are not seen, and would remove its
    /// walls.
    /// @param features  borrowed: must outlive the use of the generator
    /// Errors of the generator: those of the ground and of `place`; BAD_ARGUMENT (no `place`, a reach
    /// or a level beyond the maximum); OUT_OF_RANGE (a feature wrote beyond its reach).
    /// Threads: as the ground and `place`. Cost: the ground's and (2^level + 2 reach)^3 calls of
    /// `place`; no allocation.
    pub fn trn_features_generator(features: *const TrnFeatures) -> TrnGenerator;
    /// Returns the level of detail that is generated, so that `place` can leave out what is not seen
    /// from afar, such as ores and flowers, or write it thicker.
    /// Threads: that of `place`. Cost: O(1).
    pub fn trn_feature_level(sink: *const TrnFeatureSink) -> u32;
    /// Writes a block, whatever the land has there.
    /// @param voxel  within reach of the chunk where the feature begins; others have no effect, and
    ///               generating fails with OUT_OF_RANGE. Beyond the end of the world: no effect
    /// Threads: that of `place`. Cost: O(1).
    pub fn trn_feature_set(sink: *mut TrnFeatureSink, voxel: TrnVoxel, block: TrnBlock);
    /// Writes a block where the land and earlier features have air, such as leaves.
    /// @param voxel  as for trn_feature_set
    /// Threads: that of `place`. Cost: O(1).
    pub fn trn_feature_add(sink: *mut TrnFeatureSink, voxel: TrnVoxel, block: TrnBlock);
    /// Returns the default: no liquids, 2,048 voxels a step, 64 MiB.
    pub fn trn_fluid_def() -> TrnFluidDef;
    /// Fills in a liquid from a family of block types (terrane/block_types.h), to flow as water does:
    /// every 5 steps, 7 voxels far, to drops within 4 voxels, and renewed.
    /// @param family  its source
    /// @param liquid  receives it
    /// Errors: BAD_ARGUMENT (NULL), NOT_FOUND (the family is not of nine liquids). Cost: O(types).
    pub fn trn_fluid_liquid(types: *const TrnBlockTypes, family: TrnBlock, liquid: *mut TrnFluidLiquid) -> TrnResult;
    /// Fills in the built-in water, to flow five times a second in a game of 20 steps a second.
    /// @param liquid  receives it
    /// Errors: as trn_fluid_liquid. Cost: O(types).
    pub fn trn_fluid_water(types: *const TrnBlockTypes, liquid: *mut TrnFluidLiquid) -> TrnResult;
    /// Fills in the built-in lava: every 20 steps, 3 voxels far, to drops within 2 voxels, not renewed.
    /// It does not react by itself; docs/fluids.md has the reaction that hardens it in water.
    /// @param liquid  receives it
    /// Errors: as trn_fluid_liquid. Cost: O(types).
    pub fn trn_fluid_lava(types: *const TrnBlockTypes, liquid: *mut TrnFluidLiquid) -> TrnResult;
    /// Creates the fluid of a store. A store has at most one.
    /// @param def    copied
    /// @param fluid  receives it; destroy it before its store
    /// Errors: BAD_ARGUMENT (a number outside its range; a block twice, or not of kind LIQUID; an
    /// unassigned block), EXISTS, NO_MEMORY, FULL (also if `bytes_max` is too little for any step),
    /// READERS.
    pub fn trn_fluid_create(store: *mut TrnStore, def: *const TrnFluidDef, fluid: *mut *mut TrnFluid) -> TrnResult;
    /// Returns the fluid of a store; NULL: it has none. O(watches).
    pub fn trn_fluid_of(store: *const TrnStore) -> *mut TrnFluid;
    /// Describes a fluid, such as to create one like it on another store.
    /// @return as at its creation; the lists belong to the fluid
    pub fn trn_fluid_describe(fluid: *const TrnFluid) -> TrnFluidDef;
    /// Destroys a fluid; liquids then stand still. Not in a listener of its own step.
    /// @param fluid  may be NULL
    pub fn trn_fluid_destroy(fluid: *mut TrnFluid);
    /// Does one step.
    /// @param outcome  receives what it did; may be NULL; untouched on failure
    /// Errors: BUSY (a batch has one of the chunks open; or the fluid is in a step), NO_MEMORY, FULL
    /// (bytes_max of the store), READERS. The store is then unchanged, and the step can be repeated; it
    /// does what it would have done. At its own bytes_max a step succeeds, and does what fits.
    /// Cost: O(layers of chunks with voxels to look at), whether one voxel or hundreds; O(1) with
    /// nothing to do.
    pub fn trn_fluid_step(fluid: *mut TrnFluid, outcome: *mut TrnFluidOutcome) -> TrnResult;
    /// Switches a fluid off or on. Off, steps do nothing and do not count; what changes meanwhile is
    /// looked at once it is on. A new fluid is on. O(1).
    pub fn trn_fluid_set_running(fluid: *mut TrnFluid, is_running: bool);
    /// Looks at every liquid of a chunk with the next steps, such as one in a world that was built with
    /// water in mid-air. If the chunk is not loaded, once it is.
    /// Errors: NO_MEMORY, FULL, READERS. O(1).
    pub fn trn_fluid_wake(fluid: *mut TrnFluid, coord: TrnCoord) -> TrnResult;
    /// Drops the voxels of a chunk that sleep, and those that are due if it is not loaded, and frees
    /// their memory: for a chunk that the game will not load soon. Once it or a chunk at its faces is
    /// loaded, the fluid looks at all liquids of these seven chunks instead. It remembers which chunks
    /// in a filter of 65,536 bits, so a few others are looked at, too.
    /// Not in a listener of the fluid's own step. O(1).
    pub fn trn_fluid_drop(fluid: *mut TrnFluid, coord: TrnCoord);
    /// Writes what a fluid has yet to look at, and the number of its step, so that a saved world goes
    /// on as if it had not been left: store the bytes with the chunks, as with trn_save_set_value
    /// (terrane/save.h) in the same transaction. Equal states give equal bytes.
    /// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
    /// @return how many bytes there are; not in a listener of the fluid's own step
    /// Cost: O(chunks with voxels to look at); no allocation.
    pub fn trn_fluid_save(fluid: *mut TrnFluid, bytes: *mut c_void, capacity: usize) -> usize;
    /// Makes a fluid go on from what trn_fluid_save wrote, and forget what it was to look at.
    /// @param bytes  [size] any bytes are safe
    /// Errors: CORRUPT (not such bytes, or of another number of liquids), BUSY (it is in a step),
    /// NO_MEMORY, FULL, READERS; the fluid is unchanged then.
    /// Cost: O(size); memory for both states at once.
    pub fn trn_fluid_load(fluid: *mut TrnFluid, bytes: *const c_void, size: usize) -> TrnResult;
    /// Writes what a fluid has yet to look at in a box, as trn_fluid_save does, without what was
    /// dropped. First it looks up what changed voxels lead to, as the next step would.
    /// @param box    of chunks
    /// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
    /// @param size   receives how many bytes there are; 0: nothing is to be looked at
    /// Errors: BUSY (it is in a step), NO_MEMORY, FULL, READERS; `size` is untouched then.
    /// Cost: as trn_fluid_save, and that of a step without liquids.
    pub fn trn_fluid_save_box(fluid: *mut TrnFluid, box_: TrnBox, bytes: *mut c_void, capacity: usize, size: *mut usize) -> TrnResult;
    /// Makes a fluid look at what trn_fluid_save_box wrote, besides what it is to look at anyway.
    /// @param bytes  [size] any bytes are safe
    /// Errors: as trn_fluid_load; the fluid may look at some of it then.
    /// Cost: O(size).
    pub fn trn_fluid_merge(fluid: *mut TrnFluid, bytes: *const c_void, size: usize) -> TrnResult;
    /// Returns the figures. O(1).
    pub fn trn_fluid_stats(fluid: *const TrnFluid) -> TrnFluidStats;
    /// Folds one of the eight chunks into its part of the next level's chunk.
    /// @param types   of the world
    /// @param child   [TRN_CHUNK_VOXELS] in linear order: what to fold
    /// @param above   [TRN_CHUNK_VOXELS] the chunk above it at its level, whose lowest layer says which
    ///                voxels are covered; NULL: air
    /// @param octant  which of the eight: bit 0 along x, bit 1 along z, bit 2 along y
    /// @param blocks  [TRN_CHUNK_VOXELS] of the next level: receives the 16 x 16 x 16 cells of the
    ///                octant; the others stay as they are. Caller owns
    /// Threads: any. Cost: O(TRN_CHUNK_VOXELS); 24 KiB of stack.
    pub fn trn_fold_blocks(types: *const TrnBlockTypes, child: *const TrnBlock, above: *const TrnBlock, octant: u32, blocks: *mut TrnBlock);
    /// The same of a chunk with edits: folds only the cells that have a voxel which is not as in the
    /// land, and leaves the others as they are in `blocks`.
    /// @param land  [TRN_CHUNK_VOXELS] the chunk as it is without edits
    pub fn trn_fold_edited(types: *const TrnBlockTypes, child: *const TrnBlock, above: *const TrnBlock, land: *const TrnBlock, octant: u32, blocks: *mut TrnBlock);
    /// Returns the default: 16 MiB.
    pub fn trn_history_def() -> TrnHistoryDef;
    /// Creates an empty history, for batches of one store.
    /// @param def      NULL means trn_history_def()
    /// @param history  receives it; destroy it with trn_history_destroy
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS.
    pub fn trn_history_create(store: *mut TrnStore, def: *const TrnHistoryDef, history: *mut *mut TrnHistory) -> TrnResult;
    /// Destroys a history. Its pending edits stay pending. No batch of the history may be open. Destroy
    /// a history before its store.
    /// @param history  may be NULL
    pub fn trn_history_destroy(history: *mut TrnHistory);
    /// Makes all batches until trn_history_end_group() one step: a brush stroke, a command. Without a
    /// group, each batch is one. Groups nest; the outermost counts. An empty group is no step. O(1).
    pub fn trn_history_begin_group(history: *mut TrnHistory);
    /// Ends the group that the last trn_history_begin_group() began. O(1).
    pub fn trn_history_end_group(history: *mut TrnHistory);
    /// Undoes the newest group that is done. A new batch of the history drops all groups that could be
    /// redone.
    /// @param outcome  receives what the undo did; may be NULL
    /// Errors: NOT_FOUND (there is no such group), BUSY (a group or batch of this history is open, a
    /// batch has one of the chunks open, or block data of a chunk that is not loaded would change: load
    /// it and call again), NO_MEMORY, FULL, READERS; store and history are then as they
    /// were. Cost: O(changed voxels), and a commit; of a ball of radius 16 about a tenth of the cost of
    /// digging it.
    pub fn trn_history_undo(history: *mut TrnHistory, outcome: *mut TrnBatchOutcome) -> TrnResult;
    /// Redoes the oldest group that is undone. Parameter, errors and cost: as trn_history_undo().
    pub fn trn_history_redo(history: *mut TrnHistory, outcome: *mut TrnBatchOutcome) -> TrnResult;
    /// Drops all groups, so that nothing can be undone or redone. No group or batch of the history may
    /// be open.
    pub fn trn_history_clear(history: *mut TrnHistory);
    /// Returns the figures of a history. O(1).
    pub fn trn_history_stats(history: *const TrnHistory) -> TrnHistoryStats;
    /// Returns the default settings: wavelength 64 voxels, no warp, 4 octaves with lacunarity 2 and
    /// gain 0.5; 1 octave for cellular noise.
    /// @param dimensions  2 or 3
    pub fn trn_noise_def(kind: TrnNoiseKind, dimensions: u32) -> TrnNoiseDef;
    /// Returns what is wrong with a def, or NULL if it is valid. The sentence names the field and its
    /// range. Static text; any thread.
    pub fn trn_noise_def_fault(def: *const TrnNoiseDef) -> *const c_char;
    /// Compiles a def.
    /// @param noise  receives the compiled noise
    /// Errors: BAD_ARGUMENT (NULL, NaN or anything that trn_noise_def_fault reports). No allocation.
    /// Any thread. Cost: O(layers).
    pub fn trn_noise_compile(def: *const TrnNoiseDef, noise: *mut TrnNoise) -> TrnResult;
    /// Evaluates the noise at one voxel of the world. The result has the same bits as in any grid.
    /// @param noise  compiled; an all-zero noise is 0 everywhere
    /// Any thread. Cost: O(layers), 1.2 times as much in 3D as in 2D; grids are 6 to 20 times cheaper
    /// per voxel.
    pub fn trn_noise_at(noise: *const TrnNoise, voxel: TrnVoxel) -> f32;
    /// Evaluates the noise at every voxel of a grid.
    /// @param out  [size_x * size_z * size_y] receives the values, x fastest, then z, then y, like the
    ///             voxels of a chunk; caller owns
    /// Errors: BAD_ARGUMENT (noise not compiled, origin too far outside the world, level or size out of
    /// range); `out` is then unchanged. No allocation. Any thread.
    /// Cost: O(voxels * layers); AVX2 takes twice as long as AVX-512, SSE2 four times. Coarser grids
    /// cost up to half as much again, since adjacent points lie in different cells. Plus a compilation
    /// per call. Times: docs/noise.md.
    pub fn trn_noise_fill(noise: *const TrnNoise, grid: *const TrnNoiseGrid, out: *mut f32) -> TrnResult;
    /// Like trn_noise_fill, but displaces each voxel by a warp of the caller's, added to the noise's
    /// own. Several noises can share one warp this way.
    /// @param warp  by axis: an array like `out` of displacements in voxels, or NULL for none. A
    ///              displacement is bounded to 2,000 wavelengths; NaN counts as the bound.
    /// Errors, threads: as trn_noise_fill.
    pub fn trn_noise_fill_warped(noise: *const TrnNoise, grid: *const TrnNoiseGrid, warp: *const *const f32, out: *mut f32) -> TrnResult;
    /// 128 voxels, stops at solid blocks, passes through chunks that are not loaded.
    pub fn trn_ray_def() -> TrnRayDef;
    /// Visits the voxels along a ray in order until one stops it (DDA traversal).
    /// In a voxel with a model in the stop set, solid or not, only the model's boxes stop the ray; a
    /// box contains its lower faces, as a voxel does. A liquid in the stop set fills its voxel, however
    /// low its surface is drawn. Visits every voxel that the ray crosses exactly
    /// once, over any distance. Where the ray crosses an edge or corner, exactly or closer than doubles
    /// can tell, it steps along x before y before z.
    /// @param origin     any point of the world. If the voxel that contains it stops the ray, the hit
    ///                   is at distance 0. A voxel contains its lower faces; a ray that goes down from
    ///                   one is in the next voxel at distance 0. An offset of 32 lies in the next
    ///                   chunk, or at the upper end of the world in the last voxel
    /// @param direction  x, y, z of any length but 0
    /// @param def        NULL means trn_ray_def()
    /// @param hit        receives where it ended; untouched on failure
    /// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset outside 0..32, a
    /// direction of length 0).
    /// Cost: O(chunks on the way + voxels near blocks of the stop set); a chunk costs as much as 5
    /// voxels. A chunk that is uniform, not loaded, or empty around the ray is skipped at once. No
    /// allocation. Source: J. Amanatides and A. Woo, "A Fast Voxel Traversal Algorithm for Ray
    /// Tracing", 1987.
    pub fn trn_store_raycast(store: *const TrnStore, origin: TrnPosition, direction: *const f64, def: *const TrnRayDef, hit: *mut TrnRayHit) -> TrnResult;
    /// Returns the defaults: no limit.
    pub fn trn_registry_def(index_offset: usize) -> TrnRegistryDef;
    /// Creates an empty registry. Errors: BAD_ARGUMENT, NO_MEMORY.
    pub fn trn_registry_create(def: *const TrnRegistryDef, registry: *mut *mut TrnRegistry) -> TrnResult;
    /// Destroys a registry; the objects are not touched. @param registry  may be NULL
    pub fn trn_registry_destroy(registry: *mut TrnRegistry);
    #[link_name = "trnx_registry_contains"]
    /// Returns whether an object is in the registry. The object's field may hold any value: it is
    /// checked against the array. (Initialise it, to zero say, because it is read.) O(1).
    pub fn trn_registry_contains(registry: *const TrnRegistry, object: *const c_void) -> bool;
    /// Adds an object and writes its index. The object must not move until it is removed.
    /// @param object  not NULL; caller owns
    /// Errors: BAD_ARGUMENT, EXISTS, FULL (count_max), NO_MEMORY; nothing changes. Cost: amortized
    /// O(1).
    pub fn trn_registry_add(registry: *mut TrnRegistry, object: *mut c_void) -> TrnResult;
    /// Removes an object; the last one takes its place. @param object  not NULL
    /// Errors: BAD_ARGUMENT, NOT_FOUND. O(1).
    pub fn trn_registry_remove(registry: *mut TrnRegistry, object: *mut c_void) -> TrnResult;
    /// Allocates capacity for at least `count` objects, so that adding up to that many cannot fail.
    /// Errors: FULL (above count_max), NO_MEMORY.
    pub fn trn_registry_reserve(registry: *mut TrnRegistry, count: u32) -> TrnResult;
    /// Returns the defaults: three dimensions, a sentinel of zeroes, at most 1 GiB of cells.
    pub fn trn_spatial_array_def(element_bytes: usize) -> TrnSpatialArrayDef;
    /// Creates an empty array. Allocates no cells before the first insert.
    /// Errors: BAD_ARGUMENT, NO_MEMORY.
    pub fn trn_spatial_array_create(def: *const TrnSpatialArrayDef, array: *mut *mut TrnSpatialArray) -> TrnResult;
    /// Destroys an array. @param array  may be NULL
    pub fn trn_spatial_array_destroy(array: *mut TrnSpatialArray);
    #[link_name = "trnx_spatial_array_cell"]
    /// Returns the cell at a coordinate, or NULL outside the extent. A cell without an element holds
    /// the sentinel. The address is valid until the next insert, reserve or shrink.
    /// Threads: any number of readers while no thread writes. O(1), no allocation.
    pub fn trn_spatial_array_cell(array: *const TrnSpatialArray, coord: TrnCoord) -> *const c_void;
    #[link_name = "trnx_spatial_array_pointer"]
    /// Returns the pointer at a coordinate, or NULL. Only for arrays of pointers with a NULL sentinel
    /// (element_bytes is sizeof(void *)). O(1).
    pub fn trn_spatial_array_pointer(array: *const TrnSpatialArray, coord: TrnCoord) -> *mut c_void;
    /// Stores an element at a coordinate, replacing the previous one if there is one.
    /// @param element  [element_bytes], copied; must differ from the sentinel
    /// Errors: BAD_ARGUMENT (the sentinel, or a coordinate beyond the dimensions), OUT_OF_RANGE (would
    /// exceed bytes_max), NO_MEMORY.
    /// Cost: O(1), plus a copy of all cells on growth: amortized O(1) while the elements stay dense.
    pub fn trn_spatial_array_insert(array: *mut TrnSpatialArray, coord: TrnCoord, element: *const c_void) -> TrnResult;
    /// Removes the element at a coordinate; the extent stays. Errors: NOT_FOUND. O(1).
    pub fn trn_spatial_array_remove(array: *mut TrnSpatialArray, coord: TrnCoord) -> TrnResult;
    /// Grows the extent, in one step, until the box lies inside.
    /// Errors: as insert; BAD_ARGUMENT for an empty box.
    pub fn trn_spatial_array_reserve(array: *mut TrnSpatialArray, box_: TrnBox) -> TrnResult;
    /// Shrinks the extent to the box around the elements; an empty array frees all cells.
    /// Errors: NO_MEMORY. Cost: reads all cells.
    pub fn trn_spatial_array_shrink(array: *mut TrnSpatialArray) -> TrnResult;
    /// Removes all elements; the extent stays. Cost: writes all cells.
    pub fn trn_spatial_array_clear(array: *mut TrnSpatialArray);
    /// Gathers the elements of a box in memory order: x fastest, then z, then y.
    /// @param box       both corners inclusive; may reach outside the extent; an empty box holds
    ///                  nothing
    /// @param out       [capacity] elements; caller owns; may be NULL when capacity is 0
    /// @return how many elements the box holds; at most `capacity` are written, and if the box holds
    /// fewer, the rest of `out` is undefined
    /// Cost: O(cells of the box inside the extent); no allocation.
    pub fn trn_spatial_array_gather(array: *const TrnSpatialArray, box_: TrnBox, out: *mut c_void, capacity: usize) -> usize;
    /// Walks all elements in memory order. Start with *cursor = 0 and call until it returns NULL.
    /// @param coord  receives the element's coordinate; may be NULL
    pub fn trn_spatial_array_next(array: *const TrnSpatialArray, cursor: *mut usize, coord: *mut TrnCoord) -> *const c_void;
    /// Returns the statistics of an array. O(1).
    pub fn trn_spatial_array_stats(array: *const TrnSpatialArray) -> TrnSpatialArrayStats;
    /// Returns the default def: a world with sea, beach, hills and mountains around its origin, and a
    /// cache of 2,048 columns (27 MiB).
    pub fn trn_terrain_def() -> TrnTerrainDef;
    /// Returns the shape of the preset "default".
    pub fn trn_terrain_shape_default() -> TrnTerrainShape;
    /// Parses a shape from text: a first line "terrane-terrain 1", then lines "key = number" that set
    /// fields of TrnTerrainShape. Fields that are not set keep their default. docs/terrain.md describes
    /// the format. Any bytes are safe to parse.
    /// @param text     [size] need not end with a zero
    /// @param shape    receives the shape
    /// @param problem  receives the reason on CORRUPT; may be NULL
    /// Errors: CORRUPT, BAD_ARGUMENT; `shape` is then unchanged. No allocation. Any thread.
    pub fn trn_terrain_shape_load(text: *const c_char, size: usize, shape: *mut TrnTerrainShape, problem: *mut TrnTerrainProblem) -> TrnResult;
    /// Writes a shape as a text for trn_terrain_shape_load(), with every field. Numbers are rounded to
    /// three digits after the point, which shapes of texts have at most.
    /// @param text  [capacity] receives the text and a zero, cut off if it is longer; NULL if capacity
    ///              is 0
    /// @return the length of the whole text; 0 if the shape is NULL. Any thread.
    pub fn trn_terrain_shape_write(shape: *const TrnTerrainShape, text: *mut c_char, capacity: usize) -> usize;
    /// Looks up a built-in shape by name.
    /// @param name   "default", "islands", "alps", "canyons" or "flat": the files in assets/terrain/
    /// @param shape  receives the shape
    /// Errors: NOT_FOUND, BAD_ARGUMENT; `shape` is then unchanged. Any thread.
    pub fn trn_terrain_shape_preset(name: *const c_char, shape: *mut TrnTerrainShape) -> TrnResult;
    /// Returns the name of the i-th preset, or NULL past the last. Static text; any thread.
    pub fn trn_terrain_preset_name(i: usize) -> *const c_char;
    /// Returns what is wrong with a def, or NULL if it is valid. The sentence names the field and its
    /// range. Static text; any thread.
    pub fn trn_terrain_def_fault(def: *const TrnTerrainDef) -> *const c_char;
    /// Creates a terrain.
    /// @param def      copied; NULL means trn_terrain_def()
    /// @param terrain  receives the terrain; free it with trn_terrain_destroy
    /// Errors: BAD_ARGUMENT (anything that trn_terrain_def_fault reports), NO_MEMORY. Cost: O(1);
    /// columns are allocated on demand.
    pub fn trn_terrain_create(def: *const TrnTerrainDef, terrain: *mut *mut TrnTerrain) -> TrnResult;
    /// Frees a terrain.
    /// @param terrain  may be NULL; no thread may still use it
    pub fn trn_terrain_destroy(terrain: *mut TrnTerrain);
    /// Generates one chunk.
    /// @param coord    any chunk of the int32 range
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; caller owns. If
    ///                 `uniform` is set, only blocks[0] is defined.
    /// @param uniform  receives whether every voxel is the same block. Most chunks of a world are all
    ///                 air or all stone and cost next to nothing.
    /// Errors: none. Without memory for the column cache, generating only takes longer.
    /// Threads: any number on one TrnTerrain. Needs TRN_STACK_BYTES of stack. The first chunk of 2,048
    /// x 2,048 voxels solves their rivers, which takes as long as 20 to 40 chunks; other threads that
    /// need them wait for it. Cost: O(TRN_CHUNK_VOXELS) for a chunk with caves or ground, O(1) for
    /// others; the first chunk of a column costs two to three times as much.
    pub fn trn_terrain_generate(terrain: *mut TrnTerrain, coord: TrnCoord, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult;
    /// Generates a chunk at a level of detail: every 2^level-th voxel along each axis. The ground's
    /// height is that of level 0 at the sampled voxel column: exactly at level 1, within a voxel of the
    /// level above (but for fewer than one in a thousand samples, in caves of steep land). Levels above
    /// 0 have no plants, no ores, and no caves but those that open to the surface; trees are columns of
    /// leaves, or the ground's colour where they are lower than a voxel.
    /// @param coord    the chunk; it covers 32 * 2^level voxels along each axis. Level n has chunks
    ///                 INT32_MIN / 2^n .. INT32_MAX / 2^n.
    /// @param level    0..TRN_TERRAIN_LEVEL_MAX
    /// @param blocks   as in trn_terrain_generate
    /// @param uniform  as in trn_terrain_generate
    /// Errors: BAD_ARGUMENT (level, or coord outside the world), NO_MEMORY (levels above 0 need 400 KiB
    /// of scratch).
    /// Threads: any number. Cost: as trn_terrain_generate at level 0; above, a third to a half of that,
    /// O(1) for uniform chunks, and 8 to 24 times as much for the first chunk of a column.
    pub fn trn_terrain_generate_level(terrain: *mut TrnTerrain, coord: TrnCoord, level: u32, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult;
    /// Wraps the terrain as a generator (terrane/generator.h) that calls trn_terrain_generate_level.
    /// @param terrain  borrowed: it must outlive the generator and its copies
    /// Threads: any number may generate with it. Needs TRN_STACK_BYTES of stack.
    pub fn trn_terrain_generator(terrain: *mut TrnTerrain) -> TrnGenerator;
    /// Computes the y of the topmost ground voxel of a voxel column, without water and trees: exactly
    /// what trn_terrain_generate makes.
    /// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
    /// @param height  receives the height. Below TRN_TERRAIN_SEA_LEVEL there is water above it, unless
    ///                a cave opens there: caves are dry. Rivers and lakes are higher;
    ///                trn_terrain_sample reports all of them.
    /// Errors: BAD_ARGUMENT. Any thread. Cost: O(1) if the column is cached, 20 times that where caves
    /// open or cliffs overhang; a column's generation if it must be generated first.
    pub fn trn_terrain_height(terrain: *const TrnTerrain, x: i64, z: i64, height: *mut i64) -> TrnResult;
    /// Samples the surface at a voxel column: height, biome and blocks.
    /// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
    /// @param sample  receives the sample
    /// Errors, threads, cost: as trn_terrain_height.
    pub fn trn_terrain_sample(terrain: *const TrnTerrain, x: i64, z: i64, sample: *mut TrnTerrainSample) -> TrnResult;
    /// Samples the surface at every 2^level-th voxel column of a chunk, for maps. Like
    /// trn_terrain_sample, with three differences: heights ignore caves that open, so about one in
    /// thirty is higher; above level 1 a few differ by a voxel of the level; forests show the blocks of
    /// their canopy.
    /// @param chunk_x,chunk_z  a chunk of that level: it covers 32 * 2^level voxels; INT32_MIN /
    ///                         2^level .. INT32_MAX / 2^level
    /// @param level            0..TRN_TERRAIN_LEVEL_MAX
    /// @param samples          [TRN_CHUNK_EDGE][TRN_CHUNK_EDGE] receives the samples, by z, then x;
    ///                         caller owns
    /// Errors: BAD_ARGUMENT (level, or a chunk outside the world), NO_MEMORY (it needs 1 MiB of
    /// scratch); `samples` is then unchanged. Any thread. Cost: O(samples), each a hundredth
    /// of trn_terrain_sample on columns that are not cached.
    pub fn trn_terrain_sample_level(terrain: *const TrnTerrain, chunk_x: i32, chunk_z: i32, level: u32, samples: *mut TrnTerrainSample) -> TrnResult;
    /// Returns the defaults: no function, 3 voxels a chunk, a radius of 8 chunks and a height of 4.
    pub fn trn_ticks_def() -> TrnTicksDef;
    /// Creates random ticks.
    /// @param def    copied
    /// @param ticks  receives them; destroy them before the store
    /// Errors: BAD_ARGUMENT (a number outside its range, no function), NO_MEMORY, FULL, READERS.
    pub fn trn_ticks_create(store: *mut TrnStore, def: *const TrnTicksDef, ticks: *mut *mut TrnTicks) -> TrnResult;
    /// Destroys random ticks. @param ticks  may be NULL
    pub fn trn_ticks_destroy(ticks: *mut TrnTicks);
    /// Does one step.
    /// @param step     its number; the same number draws the same voxels
    /// @param anchors  [count] chunk coordinates; a chunk near two of them ticks once
    /// @param outcome  receives what it did; may be NULL; untouched on failure
    /// Errors: of the function and of trn_batch_commit; NO_MEMORY, FULL, READERS. The store is then
    /// unchanged.
    /// Cost: O(chunks near anchors + voxels drawn in those with such blocks), and the game's; a voxel
    /// drawn costs up to ten times a chunk without such blocks, mostly to fetch it from memory. Memory
    /// of 8 bytes for each chunk near an anchor is kept.
    pub fn trn_ticks_step(ticks: *mut TrnTicks, step: u64, anchors: *const TrnCoord, count: usize, outcome: *mut TrnTicksOutcome) -> TrnResult;
    #[link_name = "trnx_quad_x"]
    /// Returns local x of the lowest voxel.
    pub fn trn_quad_x(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_y"]
    /// Returns local y of the lowest voxel.
    pub fn trn_quad_y(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_z"]
    /// Returns local z of the lowest voxel.
    pub fn trn_quad_z(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_width"]
    /// Returns the voxels along the face's first axis (trn_quad_axes), 1..32.
    pub fn trn_quad_width(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_height"]
    /// Returns the voxels along the face's second axis, 1..32.
    pub fn trn_quad_height(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_face"]
    /// Returns a TrnFace, TRN_QUAD_PLANT_A or TRN_QUAD_PLANT_B.
    pub fn trn_quad_face(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_ao"]
    /// Returns the ambient occlusion, 0..255: see TrnQuad.
    pub fn trn_quad_ao(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_block"]
    /// Returns the block.
    pub fn trn_quad_block(quad: TrnQuad) -> TrnBlock;
    #[link_name = "trnx_quad_axes"]
    /// Finds the two axes (0 x, 1 y, 2 z) that a face spans: (z, y) for faces of x, (x, z) for faces of
    /// y, (x, y) for faces of z.
    pub fn trn_quad_axes(face: TrnFace, width_axis: *mut c_int, height_axis: *mut c_int);
    #[link_name = "trnx_quad_user_byte"]
    /// Returns the game's own byte: see TrnMeshInput.user_bytes.
    pub fn trn_quad_user_byte(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_drop"]
    /// Returns how far a liquid's quad is lowered, in 1/16 voxel: all of a top face, only the upper
    /// edge of a side.
    /// @param quad  a quad of TRN_MESH_SURFACE_TRANSPARENT
    /// @return 0..15; 0 if it is not lowered
    pub fn trn_quad_drop(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_start"]
    /// Returns how far above the bottom of its voxels a liquid's side begins, in 1/16 voxel: a lower
    /// liquid of the same family covers what is below. Such a quad is one voxel high.
    /// @param quad  a quad of TRN_MESH_SURFACE_TRANSPARENT
    /// @return 0..15, less than 16 - trn_quad_drop()
    pub fn trn_quad_start(quad: TrnQuad) -> u32;
    #[link_name = "trnx_quad_is_flipped"]
    /// Returns along which diagonal to split an opaque or cutout quad into triangles, so that its
    /// ambient occlusion interpolates evenly: (0,0) to (1,1) if false, (1,0) to (0,1) if true. It is
    /// the brighter diagonal. Source: M. Lysenko, "Ambient Occlusion for Minecraft-like Worlds", 2013.
    pub fn trn_quad_is_flipped(quad: TrnQuad) -> bool;
    #[link_name = "trnx_model_face_x"]
    /// Returns local x of the voxel.
    pub fn trn_model_face_x(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_y"]
    /// Returns local y of the voxel.
    pub fn trn_model_face_y(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_z"]
    /// Returns local z of the voxel.
    pub fn trn_model_face_z(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_face"]
    /// Returns the direction, a TrnFace.
    pub fn trn_model_face_face(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_box"]
    /// Returns the index of the box in the model, 0..TRN_BLOCK_BOXES_MAX - 1.
    pub fn trn_model_face_box(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_end"]
    /// Returns an end of the rectangle, 0..16. @param axis  0 width, 1 height. @param end  0 low, 1
    /// high
    pub fn trn_model_face_end(face: *const TrnModelFace, axis: u32, end: u32) -> u32;
    #[link_name = "trnx_model_face_depth"]
    /// Returns the place of the rectangle along the direction's axis, 0..16.
    pub fn trn_model_face_depth(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_block"]
    /// Returns the block.
    pub fn trn_model_face_block(face: *const TrnModelFace) -> TrnBlock;
    #[link_name = "trnx_model_face_ao"]
    /// Returns the ambient occlusion, 0..255, two bits a corner.
    pub fn trn_model_face_ao(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_model_face_user_byte"]
    /// Returns the game's own byte: see TrnMeshInput.user_bytes.
    pub fn trn_model_face_user_byte(face: *const TrnModelFace) -> u32;
    #[link_name = "trnx_mesh_light_sky"]
    /// Returns a corner's sky light. @param light  a quad's. @param corner  0..3
    pub fn trn_mesh_light_sky(light: u32, corner: u32) -> u32;
    #[link_name = "trnx_mesh_light_blocks"]
    /// Returns the light of blocks at a corner. @param light  a quad's. @param corner  0..3
    pub fn trn_mesh_light_blocks(light: u32, corner: u32) -> u32;
    #[link_name = "trnx_mesh_input"]
    /// Returns what to mesh a loaded chunk of a store from: the chunk, those around it and the store's
    /// block types, without light. Missing chunks count as opaque (missing_is_solid), so that the
    /// border of what is loaded shows no walls. Threads and lifetime: as trn_store_snapshot_around.
    /// Cost: O(1), 27 look-ups.
    pub fn trn_mesh_input(store: *const TrnStore, coord: TrnCoord) -> TrnMeshInput;
    #[link_name = "trnx_mesh_input_of"]
    /// Returns the same of what a stream passes to its mesh hook, with its light.
    /// @param streamed  valid until the hook returns, and so is the result
    /// @param types     those of the store: trn_store_block_types
    /// Threads: any. Cost: O(1).
    pub fn trn_mesh_input_of(streamed: *const TrnStreamMeshInput, types: *const TrnBlockTypes) -> TrnMeshInput;
    #[link_name = "trnx_mesh_first_group"]
    /// Returns the first group of a surface; its last is before the first of the next surface.
    /// @param surface  a TrnMeshSurface, or TRN_MESH_SURFACE_COUNT for the end of the last
    pub fn trn_mesh_first_group(surface: u32) -> u32;
    #[link_name = "trnx_mesh_surface"]
    /// Returns the surface of blocks of a kind, or TRN_MESH_SURFACE_COUNT for air, which shows nothing,
    /// and for models, which have no quads.
    pub fn trn_mesh_surface(kind: TrnBlockKind) -> TrnMeshSurface;
    #[link_name = "trnx_mesh_count"]
    /// Returns how many quads a chunk has.
    pub fn trn_mesh_count(info: *const TrnMeshInfo) -> u32;
    /// Meshes one chunk into the caller's buffer.
    ///
    /// Opaque and cutout blocks show a face where the voxel in front of it is not opaque: between two
    /// cutouts there are two faces. Liquids and transparent blocks show a face where the voxel in front
    /// is neither opaque nor the same block, so two different ones that touch show a face from either
    /// side. Plants show two leaves and hide nothing. Blocks without a type are opaque.
    /// The surface of a liquid is as high as its type says (TrnBlockType.surface; 0 is 14), or its
    /// voxel's top if the voxel above is opaque, transparent or a liquid. Liquids of one family hide
    /// each other's faces: all, if they are as high as the face, otherwise what they cover of a side
    /// (trn_quad_start).
    /// Ambient occlusion: each corner of a face is adjacent to three voxels in the layer in front of
    /// an opaque or cutout face; those that are opaque darken it. Missing chunks count as
    /// `missing_is_solid` says, and what lies behind an open side as `open_sides` says.
    /// @param input     see TrnMeshInput
    /// @param scratch   [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
    /// @param quads     [capacity] receives the quads; caller owns. TRN_MESH_QUADS_MAX always suffice.
    ///                  May be NULL if capacity is 0
    /// @param light     [capacity] receives the light of each quad, if info->light is
    ///                  TRN_MESH_LIGHT_VARIES; otherwise its contents are undefined. Caller owns. May
    ///                  be NULL if capacity is 0, or if the input has neither sky nor blocks
    /// @param info      receives where the quads lie
    /// Errors: BAD_ARGUMENT (no input, centre, types, scratch or info; unaligned scratch; no `light`
    /// for an input with light; a TrnLight.constant that is no level. Writes nothing). FULL (the chunk
    /// has more quads than `capacity`; `info` then holds the full counts, `quads` and `light` are
    /// undefined, and nothing is written beyond their ends).
    /// Threads: any number, each with its own scratch, inside the read section that the snapshots were
    /// taken in. No global state. Builds with assertions detect a payload that is freed before or
    /// during the call, unless another payload had already taken its memory when the call began.
    /// Cost: O(rows + quads). AVX2 takes twice as long as AVX-512, other instruction sets four times;
    /// ambient occlusion doubles it. A checkerboard, the most quads, takes some 100 times as long as a
    /// chunk of hills. A uniform chunk that shows nothing is O(1), any other buried one a tenth of a
    /// chunk of hills. Even light adds up to as much again; a chunk where light varies everywhere takes
    /// 3 to 7 times as long. Open sides add up to four times a chunk of hills. Times: docs/meshing.md.
    /// Uses about 5 KiB of stack and allocates nothing. Source: binary face culling and greedy meshing
    /// (M. Lysenko, "Meshing in a Minecraft Game", 2012), extended to merge the runs of all rows of a
    /// slice at once.
    pub fn trn_mesh_quads(input: *const TrnMeshInput, scratch: *mut c_void, quads: *mut TrnQuad, light: *mut u32, capacity: usize, info: *mut TrnMeshInfo) -> TrnResult;
    /// Meshes the models of one chunk into the caller's buffer: the faces of their boxes, ordered by
    /// the linear index of the voxel, then by box, then by direction.
    ///
    /// A box shows a face unless it is covered as a whole: by an opaque voxel if the face lies on the
    /// border of its voxel, or by one other box, of the same model or of the next voxel's. Models
    /// connect across chunk borders (TrnBlockBox.connected). Missing chunks count as
    /// `missing_is_solid` says; `open_sides` and `without_merging` mean nothing.
    /// Ambient occlusion and light of a corner come from the layer of voxels that the face looks into:
    /// its own voxel's, or the next one if the face lies on the border of its voxel. They are those of
    /// a quad's corner, of the voxels that touch the corner: one inside the voxel touches that voxel
    /// alone. So a box as large as its voxel looks like an opaque block.
    /// @param scratch  [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
    /// @param faces    [capacity] receives the faces; caller owns. TRN_MESH_MODEL_FACES_MAX always
    ///                 suffice. May be NULL if capacity is 0
    /// @param count    receives how many faces the chunk has
    /// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no count; writes nothing). FULL (more faces than
    /// `capacity`; `faces` are undefined then, and nothing is written beyond their end).
    /// Threads: as trn_mesh_quads(). Cost: O(rows + models); light that varies costs two to four times
    /// as much a model. O(types) if the chunk has no models.
    pub fn trn_mesh_models(input: *const TrnMeshInput, scratch: *mut c_void, faces: *mut TrnModelFace, capacity: usize, count: *mut u32) -> TrnResult;
    /// Prepares an empty mesh. Allocates nothing.
    /// @param allocator  copied; NULL means malloc
    pub fn trn_mesh_init(mesh: *mut TrnMesh, allocator: *const TrnAllocator);
    /// Frees the quads and faces. The mesh is then empty and can be used again.
    /// @param mesh  may be NULL
    pub fn trn_mesh_free(mesh: *mut TrnMesh);
    /// Returns the bytes that the mesh has of its allocator, the mesh itself not counted. A mesh hook
    /// reports them to its stream (TrnStreamMesh.bytes).
    pub fn trn_mesh_bytes(mesh: *const TrnMesh) -> usize;
    /// Meshes one chunk like trn_mesh_quads() and trn_mesh_models(), into memory that grows as needed.
    /// @param mesh  overwritten; its memory is reused
    /// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no mesh; the mesh is unchanged), NO_MEMORY (the mesh
    /// is then empty and can be used again).
    /// Threads and cost: as trn_mesh_quads(). A chunk with more quads than the capacity is meshed
    /// twice.
    pub fn trn_mesh_build(mesh: *mut TrnMesh, input: *const TrnMeshInput, scratch: *mut c_void) -> TrnResult;
    #[link_name = "trnx_mesh_vertex_count"]
    /// Returns how many vertices the quads of some groups yield.
    /// @param first_group,end_group  groups [first, end) of TRN_MESH_OPAQUE etc., up to
    ///                               TRN_MESH_GROUP_COUNT
    pub fn trn_mesh_vertex_count(info: *const TrnMeshInfo, first_group: u32, end_group: u32) -> u32;
    #[link_name = "trnx_mesh_index_count"]
    /// Returns how many indices belong to a number of vertices.
    pub fn trn_mesh_index_count(vertex_count: u32) -> u32;
    /// Turns one quad into vertices.
    /// @param is_transparent  whether the quad belongs to TRN_MESH_SURFACE_TRANSPARENT, where ao says
    ///                        how high a liquid reaches (trn_quad_drop)
    /// @param offset    added to positions, which are exact while each is below 2^20
    /// @param vertices  [TRN_QUAD_VERTICES_MAX] receives them; caller owns
    /// @return the number of vertices: 4, or 8 for a plant's leaf. Vertex i is corner i % 4, in the
    /// order of the quad's ao and light
    /// Threads: any number. Cost: O(1).
    pub fn trn_quad_vertices(quad: TrnQuad, is_transparent: bool, offset: *const f32, vertices: *mut TrnMeshVertex) -> u32;
    /// Writes the triangles over the vertices of trn_quad_vertices: counter-clockwise seen from
    /// outside, split along the diagonal that trn_quad_is_flipped names.
    /// @param first    index of the quad's first vertex
    /// @param indices  [TRN_QUAD_INDICES_MAX] receives them; caller owns
    /// @return the number of indices: 6, or 12 for a plant's leaf
    pub fn trn_quad_indices(quad: TrnQuad, first: u32, indices: *mut u32) -> u32;
    /// Turns the quads of some groups into vertices and triangles, in the quads' order.
    /// @param quads,info   as trn_mesh_quads or trn_mesh_build wrote them
    /// @param first_group,end_group  groups [first, end)
    /// @param offset       as trn_quad_vertices
    /// @param first_index  the index of the first vertex: how many vertices precede it in the caller's
    ///                     buffer
    /// @param vertices     [trn_mesh_vertex_count()] receives them; caller owns
    /// @param indices      [trn_mesh_index_count()] receives them; caller owns
    /// Errors: BAD_ARGUMENT (NULL; no such groups; indices beyond 32 bits; groups out of order, or
    /// larger than a chunk's; a plant's leaf outside the plants, or another quad among them). Writes
    /// nothing then, and never beyond the buffers' ends, whatever the quads hold.
    /// Threads: any number. Cost: O(quads); no allocation.
    pub fn trn_mesh_vertices(quads: *const TrnQuad, info: *const TrnMeshInfo, first_group: u32, end_group: u32, offset: *const f32, first_index: u32, vertices: *mut TrnMeshVertex, indices: *mut u32) -> TrnResult;
    /// Turns one face of a model into four vertices. Its uv are those of the part of the voxel's face
    /// that it covers.
    /// @param offset    as trn_quad_vertices
    /// @param vertices  [4] receives them, in the order of the face's ao and light; caller owns
    pub fn trn_model_face_vertices(face: *const TrnModelFace, offset: *const f32, vertices: *mut TrnMeshVertex);
    /// Writes the triangles over those vertices, as trn_quad_indices.
    /// @param indices  [6] receives them; caller owns
    pub fn trn_model_face_indices(face: *const TrnModelFace, first: u32, indices: *mut u32);
    /// Turns faces of models into vertices and triangles, in their order.
    /// @param faces,count  as trn_mesh_models or trn_mesh_build wrote them
    /// @param offset       as trn_quad_vertices
    /// @param first_index  as trn_mesh_vertices
    /// @param vertices     [4 * count] receives them; caller owns
    /// @param indices      [6 * count] receives them; caller owns
    /// Errors: BAD_ARGUMENT (NULL; more faces than a chunk has; indices beyond 32 bits). Writes nothing
    /// then, and never beyond the buffers' ends, whatever the faces hold.
    /// Threads: any number. Cost: O(count); no allocation.
    pub fn trn_mesh_model_vertices(faces: *const TrnModelFace, count: usize, offset: *const f32, first_index: u32, vertices: *mut TrnMeshVertex, indices: *mut u32) -> TrnResult;
    #[link_name = "trnx_visibility_bit"]
    /// Returns the bit, 0..14, of a pair of different faces in either order. Bits are ordered by the
    /// lower face, then by the higher.
    pub fn trn_visibility_bit(a: TrnFace, b: TrnFace) -> u32;
    #[link_name = "trnx_visibility_joins"]
    /// Returns whether two faces are connected. A face is not connected to itself: a walk that entered
    /// by a face has already visited the chunk behind it.
    pub fn trn_visibility_joins(visibility: TrnVisibility, a: TrnFace, b: TrnFace) -> bool;
    /// Finds which faces are connected. Exact.
    /// @param opaque  [TRN_CHUNK_ROWS] as from trn_snapshot_opaque_rows: bit x of row y * 32 + z is set
    /// if
    ///                the voxel is opaque
    /// Threads: any number. No state, no allocation, 12 KiB of stack.
    /// Cost: O(TRN_CHUNK_VOXELS); least where corridors connect all faces, since the flood fill ends
    /// once it has reached every face that has an opening. Slowest known: a checkerboard takes some 10
    /// times as long as hills and caves, one long corridor along y that folds back and forth and misses
    /// a face 30 times, noise with a third of its voxels open 40 times.
    pub fn trn_visibility_of(opaque: *const u32) -> TrnVisibility;
    /// Finds which faces of a chunk's snapshot are connected. O(1) for uniform chunks, otherwise as
    /// trn_visibility_of().
    /// @param opaque_bits  [TRN_BLOCK_BITS_WORDS] from trn_block_types_opaque_bits; read for uniform
    ///                     chunks alone
    /// Threads: any number, inside the read section that the snapshot was taken in.
    pub fn trn_visibility_of_snapshot(snapshot: TrnSnapshot, opaque_bits: *const u32) -> TrnVisibility;
    #[cfg(feature = "save")]
    /// Opens an SQLite database with write-ahead log. Each put is synced to the disk. A file is open
    /// for writing once at a time, in all processes together, by whichever name: the file itself is
    /// locked. A file that this call creates gets its name when it is an empty world and synced
    /// (trn_storage_part_begin); one into which nothing could be put is removed when it is closed.
    ///
    /// Symbolic links are followed, to the file or to where it is created. A file of several names
    /// (hard links) is refused, since each name would have a log of its own. So is a path beside which
    /// a file is named as SQLite names its own (`PATH-wal`, `PATH-shm`, `PATH-journal`), which SQLite
    /// would replace.
    /// @param path     UTF-8
    /// @param problem  receives a sentence on failure; may be NULL
    /// Errors: BAD_ARGUMENT, NO_MEMORY, NOT_FOUND and EXISTS by the mode, BUSY (the file is open for
    /// writing), CORRUPT (not a world of Terrane, of a newer format, or damaged), IO.
    /// Threads: any. Cost: some ms.
    pub fn trn_storage_sqlite(path: *const c_char, mode: TrnStorageMode, storage: *mut TrnStorage, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Whether a program has the file of an SQLite storage open for writing. False also if the file
    /// cannot be read.
    /// Threads: any. Cost: O(1).
    pub fn trn_storage_sqlite_is_in_use(path: *const c_char) -> bool;
    #[cfg(feature = "save")]
    /// Whether a name begins with postgresql:// or postgres://.
    pub fn trn_storage_is_url(name: *const c_char) -> bool;
    #[cfg(feature = "save")]
    /// Opens a world in a file: trn_storage_sqlite, which refuses the URL of a database with a sentence
    /// (terrane/shared.h opens both). As trn_storage_sqlite; BAD_ARGUMENT also for a URL.
    pub fn trn_storage_open(name: *const c_char, mode: TrnStorageMode, storage: *mut TrnStorage, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Creates an empty file under a name of its own, `.terrane-tmp-` and 16 digits, in the folder
    /// where a file is to appear. An SQLite storage can be created in it.
    /// @param path     UTF-8; must not exist. Symbolic links are followed
    /// @param part     receives the file; trn_storage_part_end frees it
    /// @param problem  receives a sentence on failure; may be NULL
    /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, IO.
    pub fn trn_storage_part_begin(path: *const c_char, part: *mut *mut TrnStoragePart, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Returns the path to write to. Valid until the part ends.
    pub fn trn_storage_part_path(part: *const TrnStoragePart) -> *const c_char;
    #[cfg(feature = "save")]
    /// Syncs the file and gives it its name, or removes it if the result is not OK. What wrote the file
    /// must have closed it. If several parts want one name, the first to end gets it.
    /// @param result   of what wrote the file
    /// @param problem  receives a sentence on failure; one that is in it already names the part's path
    ///                 from now on; may be NULL
    /// @return the result, EXISTS (the name is taken) or IO; no file is left then
    pub fn trn_storage_part_end(part: *mut TrnStoragePart, result: TrnResult, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Moves the file of an SQLite storage to another name or folder of its file system, which must be
    /// free, while its lock keeps others from opening it for writing. What its log has is in the file
    /// then, so nothing of it stays behind. Both folders are synced.
    /// @param path     UTF-8; a file, not a symbolic link to one
    /// @param to       UTF-8; must not exist
    /// @param problem  receives a sentence on failure; may be NULL
    /// Errors: those of trn_storage_sqlite with TRN_STORAGE_OPEN, and EXISTS; nothing is moved then.
    /// Threads: any. Cost: some ms, and the size of the log.
    pub fn trn_storage_sqlite_move(path: *const c_char, to: *const c_char, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Copies an SQLite storage to a new file while it is in use. The copy is on the disk when this
    /// returns.
    /// @param storage   from trn_storage_sqlite
    /// @param path      UTF-8; must not exist. It appears when it is complete (trn_storage_part_begin)
    /// @param progress  may be NULL
    /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, IO; no file is left then.
    /// Threads: any. Puts go on meanwhile.
    pub fn trn_storage_sqlite_backup(storage: *const TrnStorage, path: *const c_char, progress: *const TrnStorageProgress, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Checks that the database of an SQLite storage is in order, apart from what the rows hold.
    /// @param progress  may be NULL
    /// @param visit     called once for each fault, at most 1,000 times
    /// Errors: BAD_ARGUMENT, NO_MEMORY, IO, CORRUPT (it is too damaged to be checked).
    /// Threads: any. Puts go on meanwhile. Cost: reads the whole file.
    pub fn trn_storage_sqlite_check(storage: *const TrnStorage, progress: *const TrnStorageProgress, visit: Option<TrnStorageFaultVisitor>, visitor: *mut c_void) -> TrnResult;
    #[cfg(feature = "save")]
    /// Has an SQLite storage ask a progress, while it reads, whether it may go on; otherwise only
    /// visitors stop it, and a broken or hostile file can make it search for minutes between two rows.
    /// @param storage   from trn_storage_sqlite; nothing reads it now
    /// @param progress  copied; called on any thread that reads. A read that it stops fails with IO
    /// Errors: BAD_ARGUMENT. Threads: none other may use the storage.
    pub fn trn_storage_sqlite_watch_reads(storage: *const TrnStorage, progress: TrnStorageProgress) -> TrnResult;
    #[cfg(feature = "save")]
    /// Counts the invalid rows of an SQLite storage: their level is above 12, their coordinate lies
    /// outside the world, their revision is above 2^62, or they have no bytes. Other calls skip some of
    /// these rows. A world has such rows only if another program has written it.
    /// @param storage  from trn_storage_sqlite
    /// Errors: BAD_ARGUMENT, NO_MEMORY, IO, CORRUPT. Threads: any. Cost: O(rows).
    pub fn trn_storage_sqlite_count_strays(storage: *const TrnStorage, count: *mut u64) -> TrnResult;
    #[cfg(feature = "save")]
    /// Packs an SQLite storage: gives the space of removed rows back to the disk, and puts rows in
    /// order. Needs twice the file's size of free space meanwhile.
    /// @param storage   from trn_storage_sqlite, opened for writing
    /// @param progress  may be NULL; `total` is unknown
    /// Errors: BAD_ARGUMENT, NO_MEMORY, BUSY, IO (the disk is full); the file is then as it was.
    /// Threads: as put.
    pub fn trn_storage_sqlite_compact(storage: *const TrnStorage, progress: *const TrnStorageProgress, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Creates an empty storage in memory, for tests and for worlds that need not last.
    /// @param allocator  copied; NULL means malloc. Called under the storage's lock.
    /// Errors: BAD_ARGUMENT, NO_MEMORY.
    pub fn trn_storage_memory(allocator: *const TrnAllocator, storage: *mut TrnStorage) -> TrnResult;
    #[cfg(feature = "save")]
    /// Returns the defaults: chunks that were shown, damaged ones generated again, a transaction a
    /// second, loaded chunks saved after 5 s, a queue of 64 MiB, zstd level 1, a thread.
    pub fn trn_save_def() -> TrnSaveDef;
    #[cfg(feature = "save")]
    /// Opens the world of a storage, or makes it one if the storage is empty.
    /// @param def      with storage and types
    /// @param problem  receives a sentence on failure; may be NULL
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (more block types than a registry holds), CORRUPT (not a
    /// world, one that lost its format, or of a newer one), IO, and what the storage returns. The
    /// storage is closed on failure, except after BAD_ARGUMENT.
    pub fn trn_save_create(def: *const TrnSaveDef, save: *mut *mut TrnSave, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Writes the queue, closes the storage and frees the save. Destroy the stream first.
    /// @param save  may be NULL
    /// @return OK; otherwise why the queue could not be written, after one try
    pub fn trn_save_destroy(save: *mut TrnSave) -> TrnResult;
    #[cfg(feature = "save")]
    /// Makes a world in an empty storage: puts its format and the first values of the game, in one
    /// transaction that survives a loss of power. If the storage has a world already, or one of these
    /// values, it puts nothing, also if another program makes the world at the same moment: then read
    /// what that world has, with trn_save_get_value. Call it before trn_save_create, which makes a
    /// world without values otherwise.
    /// @param storage  borrowed; no save has it yet
    /// @param values   [count] of the game, with names as in trn_save_set_value; bytes are not NULL
    /// @param problem  receives a sentence on failure; may be NULL
    /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, and what the storage returns.
    /// Threads: any. Cost: one transaction.
    pub fn trn_save_make_world(storage: *const TrnStorage, values: *const TrnStorageValue, count: usize, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Returns the source for TrnStreamDef.source.
    pub fn trn_save_source(save: *mut TrnSave) -> TrnStreamSource;
    #[cfg(feature = "save")]
    /// Copies a chunk into the queue, as the stream does when it saves one. For worlds that come from
    /// elsewhere than a store.
    /// @param blocks   [TRN_CHUNK_VOXELS] in linear order; blocks[0] alone if the chunk is uniform
    /// @param uniform  every voxel is blocks[0]
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes: flush, and call again). Threads: any.
    /// Cost: O(TRN_CHUNK_VOXELS); 160 KiB of memory meanwhile.
    pub fn trn_save_put(save: *mut TrnSave, coord: TrnCoord, level: u32, blocks: *const TrnBlock, uniform: bool) -> TrnResult;
    #[cfg(feature = "save")]
    /// Reads a saved chunk, as the stream does when it loads one: from the queue if it waits there,
    /// otherwise from the storage. For worlds that are loaded without a stream.
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, by ids of the def's
    ///                 types; blocks[0] alone if the chunk is uniform
    /// @param uniform  receives whether every voxel is blocks[0]
    /// Errors: BAD_ARGUMENT; NOT_FOUND (not saved: generate it; or damaged, see TrnSaveDef.damaged),
    /// CORRUPT (damaged and refused), NO_MEMORY, and what the storage returns; blocks and uniform are
    /// then undefined.
    /// Threads: any. Cost: O(TRN_CHUNK_VOXELS), a question to the storage and a decoder's memory, some
    /// 0.3 MiB, of which the save keeps one.
    pub fn trn_save_get(save: *mut TrnSave, coord: TrnCoord, level: u32, blocks: *mut TrnBlock, uniform: *mut bool) -> TrnResult;
    #[cfg(feature = "save")]
    /// Begins a transaction: whatever is put into the queue until trn_save_end, by any thread, is
    /// written in one transaction of the storage, all of it or nothing. So chunks, values, pending
    /// edits, the state of liquids and players are those of one moment:
    ///
    ///     if (trn_save_begin(save) == TRN_RESULT_OK) {
    ///         trn_stream_update(stream, NULL, NULL); // it saves chunks, too
    ///         trn_fluid_step(fluid, NULL);
    ///         trn_stream_save(stream);
    ///         trn_save_set_value(save, "fluid", bytes, trn_fluid_save(fluid, bytes, capacity));
    ///         trn_save_end(save);
    ///     }
    ///
    /// What was in the queue before may be written with it. Until the end the save writes nothing, and
    /// puts do not fail with FULL, however much they add to `queue_bytes`: the memory grows with the
    /// transaction. If it cannot be written, it stays in the queue, and is tried again as a whole with
    /// what came later.
    /// Errors: BAD_ARGUMENT, BUSY (a transaction is open), FULL (the queue is over `queue_bytes`: call
    /// again later). Nothing has begun then.
    /// Cost: O(1).
    pub fn trn_save_begin(save: *mut TrnSave) -> TrnResult;
    #[cfg(feature = "save")]
    /// Ends the transaction. It is written when it is due (`commit_seconds`), or by trn_save_flush.
    /// Does nothing if none is open. trn_save_destroy ends it, too.
    /// Cost: O(1); without a thread of the save's own, that of writing if that is due.
    pub fn trn_save_end(save: *mut TrnSave);
    #[cfg(feature = "save")]
    /// Writes the queue and waits until everything in it is on the disk.
    /// @return OK; BUSY between trn_save_begin and trn_save_end; or why it could not be written: it
    ///         stays in the queue then, and the save tries again
    pub fn trn_save_flush(save: *mut TrnSave) -> TrnResult;
    #[cfg(feature = "save")]
    /// The same, but waits at most some seconds, for a program that ends while a disk does not answer.
    /// Without a thread of the save's own it waits as long as the disk.
    /// @return as trn_save_flush; BUSY also if the time is up: the save goes on writing; BAD_ARGUMENT
    ///         (NULL)
    pub fn trn_save_flush_for(save: *mut TrnSave, seconds: f64) -> TrnResult;
    #[cfg(feature = "save")]
    /// Stores a value of the game's own under a name, with the next transaction: a spawn, a player, a
    /// setting.
    /// @param name   UTF-8, not empty, at most 200 bytes
    /// @param bytes  [size] copied; NULL removes the value
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes).
    pub fn trn_save_set_value(save: *mut TrnSave, name: *const c_char, bytes: *const c_void, size: usize) -> TrnResult;
    #[cfg(feature = "save")]
    /// Reads a value, as it was set last.
    /// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
    /// @param size   receives the size of the whole value; may be NULL
    /// Errors: BAD_ARGUMENT, NOT_FOUND, NO_MEMORY, and what the storage returns.
    pub fn trn_save_get_value(save: *mut TrnSave, name: *const c_char, bytes: *mut c_void, capacity: usize, size: *mut usize) -> TrnResult;
    #[cfg(feature = "save")]
    /// Notes which land the game generates, and checks that the world may be used with it. A world in
    /// which only changed chunks were ever saved needs the land that it began with.
    /// @param land  text that differs whenever the generated land does, such as seed, shape and
    ///              version
    /// @param problem  receives a sentence on failure; may be NULL
    /// Errors: BAD_ARGUMENT (NULL, or the world is bound to another land), NO_MEMORY, FULL, and what
    /// the storage returns.
    pub fn trn_save_bind_land(save: *mut TrnSave, land: *const c_char, problem: *mut TrnStorageProblem) -> TrnResult;
    #[cfg(feature = "save")]
    /// Stores the names of all block types of the def with the next transaction, not only of those that
    /// were saved. Programs with the same types may then save parts of one world at the same time
    /// (terrane/shared.h): they give the same ids.
    /// Threads: any.
    pub fn trn_save_name_blocks(save: *mut TrnSave);
    #[cfg(feature = "save")]
    /// Decodes a row of the world's storage, such as one that TrnStorage.list visits.
    /// @param row      any bytes are safe
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks, by ids of the def's types; blocks[0]
    ///                 alone if the chunk is uniform
    /// @param uniform  receives whether every voxel is blocks[0]
    /// @param fault    receives what is wrong with the row, a phrase such as "its checksum is wrong";
    ///                 may be NULL
    /// Errors: BAD_ARGUMENT, NO_MEMORY, CORRUPT; blocks and uniform are then undefined.
    /// Threads: that of trn_stream_update; without a stream, one at a time. Cost: O(TRN_CHUNK_VOXELS).
    pub fn trn_save_read_row(save: *mut TrnSave, row: *const TrnStorageRow, blocks: *mut TrnBlock, uniform: *mut bool, fault: *mut *const c_char) -> TrnResult;
    #[cfg(feature = "save")]
    /// Takes up the names of blocks that other programs have stored since the world was opened.
    /// trn_save_read_row takes rows with such blocks for corrupt until then: read them again before you
    /// call them damaged. Names that the def's types lack become placeholders, as at opening.
    /// Errors: BAD_ARGUMENT (NULL), CORRUPT (a name or an id is invalid), NO_MEMORY, FULL, and what the
    /// storage returns.
    /// Threads: as trn_save_read_row, while no other thread reads the def's types. Cost: reads the
    /// names of all blocks of the world.
    pub fn trn_save_learn_blocks(save: *mut TrnSave) -> TrnResult;
    #[cfg(feature = "save")]
    /// Decodes a row, and gives its block data (terrane/block_data.h) to a sink, in linear order.
    /// @param sink  called for each voxel that has data
    /// Errors: as trn_save_read_row, and those of the sink, which end the call.
    /// Threads and cost: as trn_save_read_row.
    pub fn trn_save_read_row_data(save: *mut TrnSave, row: *const TrnStorageRow, sink: *const TrnDataSink) -> TrnResult;
    #[cfg(feature = "save")]
    /// Makes the levels of detail of what was saved without them: by an import, by a game without a far
    /// view or with fewer levels, or by one that crashed. A far view of the world (terrane/far.h) then
    /// shows it without loading level 0. Each chunk of level n + 1 of which some part was saved at
    /// level n since the last call is folded (terrane/fold.h) and put, level by level. What is folded
    /// then replaces the row that there was; what equals the land gets none. Call it when a world is
    /// opened: it asks the storage one question a level if no chunk was saved since. A world that lacks
    /// its levels shows its edits from afar only once their chunks are edited again.
    /// @param land      generates what has no row, at each level; voxels that are as it makes them are
    ///                  not folded. NULL: air, and all voxels are
    /// @param levels    1..levels are made
    /// @param progress  called after each chunk, on the calling thread; false stops: what was made so
    ///                  far is flushed, and the result is OK. The level begins again at the next call.
    ///                  May be NULL.
    /// Errors: BAD_ARGUMENT (levels beyond 12, or beyond the land's), NO_MEMORY, CORRUPT (a damaged
    /// row, if these are refused; otherwise it counts as none), and those of the generator and of
    /// trn_save_flush.
    /// Threads: as trn_stream_update; no stream may use the save meanwhile. Cost: O(rows of
    /// a level) if some are newer, eight folds (terrane/fold.h) and a row for a chunk that is folded,
    /// and that of the land; 32 bytes of memory for each chunk of level 1, and what the queue may hold.
    pub fn trn_save_fold(save: *mut TrnSave, land: *const TrnGenerator, levels: u32, progress: Option<unsafe extern "C" fn(user: *mut c_void, now: TrnSaveFoldProgress) -> bool>, user: *mut c_void) -> TrnResult;
    #[cfg(feature = "save")]
    /// Notes that a far view with these levels has folded all that is saved, so that the next
    /// trn_save_fold need not. Call it when the game ends, after trn_stream_save and trn_far_save and
    /// before the next edit. Levels that no trn_save_fold has completed since the save was created do
    /// not count. It flushes; the note itself is written with the next transaction.
    /// @param levels  of the far view
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, and those of trn_save_flush.
    pub fn trn_save_note_folded(save: *mut TrnSave, levels: u32) -> TrnResult;
    #[cfg(feature = "save")]
    /// Stores the edits that are pending in a store (terrane/batch.h) with the next transaction, in
    /// place of those stored before. Once their chunk was loaded, and saved with them, its row replaces
    /// them in the same transaction. Call it where you call trn_stream_save; what did not change since
    /// costs nothing on the disk.
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes); those that were queued by then are stored.
    /// Threads: the store's writer. Cost: O(pending edits).
    pub fn trn_save_pending(save: *mut TrnSave, store: *const TrnStore) -> TrnResult;
    #[cfg(feature = "save")]
    /// Makes the edits pending again that trn_save_pending stored. Call it once, after trn_save_create
    /// and before trn_stream_create: names that the game does not know become placeholders. Damaged
    /// edits are left out, and told by an event.
    /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (pending edits of the store, or block types), READERS, and
    /// what the storage returns; nothing is pending then, and what is stored stays.
    pub fn trn_save_load_pending(save: *mut TrnSave, store: *mut TrnStore) -> TrnResult;
    #[cfg(feature = "save")]
    /// Takes the oldest event. The save keeps the last 64. @return false if there is none
    pub fn trn_save_next_event(save: *mut TrnSave, event: *mut TrnSaveEvent) -> bool;
    #[cfg(feature = "save")]
    /// Returns the figures. Cost: O(1).
    pub fn trn_save_stats(save: *mut TrnSave) -> TrnSaveStats;
    #[cfg(feature = "save")]
    /// Copies all rows whose checksum holds, and the values that can be found, from a broken SQLite
    /// storage into a new one. Of several rows of a chunk the newest wins; a row that was removed may
    /// come back. The broken file and its log are only read, as bytes, and need not be a database any
    /// more.
    ///
    /// Values have no checksums: they are read where pages are in order. What was in quarantine is left
    /// behind.
    /// @param path      UTF-8; no program may have it open for writing
    /// @param to        UTF-8; must not exist. It appears when it is complete, and is on the disk then
    /// @param progress  may be NULL
    /// @param report    receives what was found; may be NULL
    /// @param problem   receives a sentence on failure; may be NULL
    /// Errors: BAD_ARGUMENT, NOT_FOUND, EXISTS, NO_MEMORY, BUSY (a program has it open for writing),
    /// CORRUPT (nothing of a world was found), IO (also if progress stopped it); no file is left then.
    /// Threads: any. Cost: reads the file once; some 24 bytes of memory a chunk.
    pub fn trn_repair_sqlite(path: *const c_char, to: *const c_char, progress: *const TrnStorageProgress, report: *mut TrnRepairReport, problem: *mut TrnStorageProblem) -> TrnResult;
    /// The size of a struct by its place in STRUCT_BYTES; 0 past the last.
    pub fn trnx_struct_bytes(place: usize) -> usize;
}

/// The structs' names and their sizes in Rust.
pub const STRUCT_BYTES: &[(&str, usize)] = &[
    ("TrnAllocator", std::mem::size_of::<TrnAllocator>()),
    ("TrnCoord", std::mem::size_of::<TrnCoord>()),
    ("TrnBox", std::mem::size_of::<TrnBox>()),
    ("TrnVoxel", std::mem::size_of::<TrnVoxel>()),
    ("TrnPosition", std::mem::size_of::<TrnPosition>()),
    ("TrnBlockBox", std::mem::size_of::<TrnBlockBox>()),
    ("TrnBlockModel", std::mem::size_of::<TrnBlockModel>()),
    ("TrnBlockType", std::mem::size_of::<TrnBlockType>()),
    ("TrnBlockTypesProblem", std::mem::size_of::<TrnBlockTypesProblem>()),
    ("TrnPoolId", std::mem::size_of::<TrnPoolId>()),
    ("TrnPoolDef", std::mem::size_of::<TrnPoolDef>()),
    ("TrnPoolStats", std::mem::size_of::<TrnPoolStats>()),
    ("TrnPlaneDef", std::mem::size_of::<TrnPlaneDef>()),
    ("TrnChunkIndexDef", std::mem::size_of::<TrnChunkIndexDef>()),
    ("TrnPlaneQuery", std::mem::size_of::<TrnPlaneQuery>()),
    ("TrnFrustum", std::mem::size_of::<TrnFrustum>()),
    ("TrnChunkGather", std::mem::size_of::<TrnChunkGather>()),
    ("TrnChunkIndexStats", std::mem::size_of::<TrnChunkIndexStats>()),
    ("TrnVoxels", std::mem::size_of::<TrnVoxels>()),
    ("TrnSnapshot", std::mem::size_of::<TrnSnapshot>()),
    ("TrnBlockCount", std::mem::size_of::<TrnBlockCount>()),
    ("TrnVoxelHeapDef", std::mem::size_of::<TrnVoxelHeapDef>()),
    ("TrnVoxelHeapStats", std::mem::size_of::<TrnVoxelHeapStats>()),
    ("TrnVoxelEdit", std::mem::size_of::<TrnVoxelEdit>()),
    ("TrnBlockData", std::mem::size_of::<TrnBlockData>()),
    ("TrnDataSink", std::mem::size_of::<TrnDataSink>()),
    ("TrnChunk", std::mem::size_of::<TrnChunk>()),
    ("TrnStoreDef", std::mem::size_of::<TrnStoreDef>()),
    ("TrnVoxelData", std::mem::size_of::<TrnVoxelData>()),
    ("TrnCursorChunk", std::mem::size_of::<TrnCursorChunk>()),
    ("TrnCursor", std::mem::size_of::<TrnCursor>()),
    ("TrnEventChunk", std::mem::size_of::<TrnEventChunk>()),
    ("TrnStoreEvent", std::mem::size_of::<TrnStoreEvent>()),
    ("TrnStoreWatch", std::mem::size_of::<TrnStoreWatch>()),
    ("TrnEviction", std::mem::size_of::<TrnEviction>()),
    ("TrnExplanation", std::mem::size_of::<TrnExplanation>()),
    ("TrnStoreStats", std::mem::size_of::<TrnStoreStats>()),
    ("TrnBatchDef", std::mem::size_of::<TrnBatchDef>()),
    ("TrnBatchOutcome", std::mem::size_of::<TrnBatchOutcome>()),
    ("TrnPendingRun", std::mem::size_of::<TrnPendingRun>()),
    ("TrnEditsStats", std::mem::size_of::<TrnEditsStats>()),
    ("TrnOverlap", std::mem::size_of::<TrnOverlap>()),
    ("TrnSweep", std::mem::size_of::<TrnSweep>()),
    ("TrnBodyDef", std::mem::size_of::<TrnBodyDef>()),
    ("TrnBody", std::mem::size_of::<TrnBody>()),
    ("TrnBodyInput", std::mem::size_of::<TrnBodyInput>()),
    ("TrnPageFigures", std::mem::size_of::<TrnPageFigures>()),
    ("TrnDirectoryStep", std::mem::size_of::<TrnDirectoryStep>()),
    ("TrnDeltaBase", std::mem::size_of::<TrnDeltaBase>()),
    ("TrnDeltaOutcome", std::mem::size_of::<TrnDeltaOutcome>()),
    ("TrnGenerator", std::mem::size_of::<TrnGenerator>()),
    ("TrnLight", std::mem::size_of::<TrnLight>()),
    ("TrnStreamJob", std::mem::size_of::<TrnStreamJob>()),
    ("TrnStreamMesh", std::mem::size_of::<TrnStreamMesh>()),
    ("TrnStreamMeshInput", std::mem::size_of::<TrnStreamMeshInput>()),
    ("TrnStreamHooks", std::mem::size_of::<TrnStreamHooks>()),
    ("TrnStreamLoadJob", std::mem::size_of::<TrnStreamLoadJob>()),
    ("TrnStreamSource", std::mem::size_of::<TrnStreamSource>()),
    ("TrnStreamRunner", std::mem::size_of::<TrnStreamRunner>()),
    ("TrnStreamEvent", std::mem::size_of::<TrnStreamEvent>()),
    ("TrnStreamBudget", std::mem::size_of::<TrnStreamBudget>()),
    ("TrnStreamDef", std::mem::size_of::<TrnStreamDef>()),
    ("TrnStreamAnchor", std::mem::size_of::<TrnStreamAnchor>()),
    ("TrnStreamView", std::mem::size_of::<TrnStreamView>()),
    ("TrnStreamReport", std::mem::size_of::<TrnStreamReport>()),
    ("TrnStreamReadiness", std::mem::size_of::<TrnStreamReadiness>()),
    ("TrnStreamExplanation", std::mem::size_of::<TrnStreamExplanation>()),
    ("TrnStreamTimes", std::mem::size_of::<TrnStreamTimes>()),
    ("TrnStreamStats", std::mem::size_of::<TrnStreamStats>()),
    ("TrnFarView", std::mem::size_of::<TrnFarView>()),
    ("TrnFarDef", std::mem::size_of::<TrnFarDef>()),
    ("TrnFarLevelStats", std::mem::size_of::<TrnFarLevelStats>()),
    ("TrnFarStats", std::mem::size_of::<TrnFarStats>()),
    ("TrnFeatures", std::mem::size_of::<TrnFeatures>()),
    ("TrnFluidLiquid", std::mem::size_of::<TrnFluidLiquid>()),
    ("TrnFluidReaction", std::mem::size_of::<TrnFluidReaction>()),
    ("TrnFluidDef", std::mem::size_of::<TrnFluidDef>()),
    ("TrnFluidOutcome", std::mem::size_of::<TrnFluidOutcome>()),
    ("TrnFluidStats", std::mem::size_of::<TrnFluidStats>()),
    ("TrnHistoryDef", std::mem::size_of::<TrnHistoryDef>()),
    ("TrnHistoryStats", std::mem::size_of::<TrnHistoryStats>()),
    ("TrnNoiseDef", std::mem::size_of::<TrnNoiseDef>()),
    ("TrnNoiseLayer", std::mem::size_of::<TrnNoiseLayer>()),
    ("TrnNoise", std::mem::size_of::<TrnNoise>()),
    ("TrnNoiseGrid", std::mem::size_of::<TrnNoiseGrid>()),
    ("TrnRayDef", std::mem::size_of::<TrnRayDef>()),
    ("TrnRayHit", std::mem::size_of::<TrnRayHit>()),
    ("TrnRegistryDef", std::mem::size_of::<TrnRegistryDef>()),
    ("TrnRegistry", std::mem::size_of::<TrnRegistry>()),
    ("TrnSpatialArrayDef", std::mem::size_of::<TrnSpatialArrayDef>()),
    ("TrnSpatialArray", std::mem::size_of::<TrnSpatialArray>()),
    ("TrnSpatialArrayStats", std::mem::size_of::<TrnSpatialArrayStats>()),
    ("TrnTerrainShape", std::mem::size_of::<TrnTerrainShape>()),
    ("TrnTerrainDef", std::mem::size_of::<TrnTerrainDef>()),
    ("TrnTerrainProblem", std::mem::size_of::<TrnTerrainProblem>()),
    ("TrnTerrainSample", std::mem::size_of::<TrnTerrainSample>()),
    ("TrnTick", std::mem::size_of::<TrnTick>()),
    ("TrnTicksDef", std::mem::size_of::<TrnTicksDef>()),
    ("TrnTicksOutcome", std::mem::size_of::<TrnTicksOutcome>()),
    ("TrnModelFace", std::mem::size_of::<TrnModelFace>()),
    ("TrnMeshInput", std::mem::size_of::<TrnMeshInput>()),
    ("TrnMeshInfo", std::mem::size_of::<TrnMeshInfo>()),
    ("TrnMesh", std::mem::size_of::<TrnMesh>()),
    ("TrnMeshVertex", std::mem::size_of::<TrnMeshVertex>()),
    ("TrnStorageKey", std::mem::size_of::<TrnStorageKey>()),
    ("TrnStorageRow", std::mem::size_of::<TrnStorageRow>()),
    ("TrnStorageValue", std::mem::size_of::<TrnStorageValue>()),
    ("TrnStorageBatch", std::mem::size_of::<TrnStorageBatch>()),
    ("TrnStorageRange", std::mem::size_of::<TrnStorageRange>()),
    ("TrnStorage", std::mem::size_of::<TrnStorage>()),
    ("TrnStorageProblem", std::mem::size_of::<TrnStorageProblem>()),
    ("TrnStorageProgress", std::mem::size_of::<TrnStorageProgress>()),
    ("TrnSaveDef", std::mem::size_of::<TrnSaveDef>()),
    ("TrnSaveFoldProgress", std::mem::size_of::<TrnSaveFoldProgress>()),
    ("TrnSaveEvent", std::mem::size_of::<TrnSaveEvent>()),
    ("TrnSaveStats", std::mem::size_of::<TrnSaveStats>()),
    ("TrnRepairReport", std::mem::size_of::<TrnRepairReport>()),
];
