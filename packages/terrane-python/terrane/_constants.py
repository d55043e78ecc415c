"""Made by tools/bindings/generate.py from packaging/api/terrane.json; change the headers instead."""
VERSION = '0.3.0'
# By the place at which trnx_struct_bytes() has their sizes.
STRUCTS = (
    'TrnAllocator',
    'TrnCoord',
    'TrnBox',
    'TrnVoxel',
    'TrnPosition',
    'TrnBlockBox',
    'TrnBlockModel',
    'TrnBlockType',
    'TrnBlockTypesProblem',
    'TrnPoolId',
    'TrnPoolDef',
    'TrnPoolStats',
    'TrnPlaneDef',
    'TrnChunkIndexDef',
    'TrnPlaneQuery',
    'TrnFrustum',
    'TrnChunkGather',
    'TrnChunkIndexStats',
    'TrnVoxels',
    'TrnSnapshot',
    'TrnBlockCount',
    'TrnVoxelHeapDef',
    'TrnVoxelHeapStats',
    'TrnVoxelEdit',
    'TrnBlockData',
    'TrnDataSink',
    'TrnChunk',
    'TrnStoreDef',
    'TrnVoxelData',
    'TrnCursorChunk',
    'TrnCursor',
    'TrnEventChunk',
    'TrnStoreEvent',
    'TrnStoreWatch',
    'TrnEviction',
    'TrnExplanation',
    'TrnStoreStats',
    'TrnBatchDef',
    'TrnBatchOutcome',
    'TrnPendingRun',
    'TrnEditsStats',
    'TrnOverlap',
    'TrnSweep',
    'TrnBodyDef',
    'TrnBody',
    'TrnBodyInput',
    'TrnPageFigures',
    'TrnDirectoryStep',
    'TrnDeltaBase',
    'TrnDeltaOutcome',
    'TrnGenerator',
    'TrnLight',
    'TrnStreamJob',
    'TrnStreamMesh',
    'TrnStreamMeshInput',
    'TrnStreamHooks',
    'TrnStreamLoadJob',
    'TrnStreamSource',
    'TrnStreamRunner',
    'TrnStreamEvent',
    'TrnStreamBudget',
    'TrnStreamDef',
    'TrnStreamAnchor',
    'TrnStreamView',
    'TrnStreamReport',
    'TrnStreamReadiness',
    'TrnStreamExplanation',
    'TrnStreamTimes',
    'TrnStreamStats',
    'TrnFarView',
    'TrnFarDef',
    'TrnFarLevelStats',
    'TrnFarStats',
    'TrnFeatures',
    'TrnFluidLiquid',
    'TrnFluidReaction',
    'TrnFluidDef',
    'TrnFluidOutcome',
    'TrnFluidStats',
    'TrnHistoryDef',
    'TrnHistoryStats',
    'TrnNoiseDef',
    'TrnNoiseLayer',
    'TrnNoise',
    'TrnNoiseGrid',
    'TrnRayDef',
    'TrnRayHit',
    'TrnRegistryDef',
    'TrnRegistry',
    'TrnSpatialArrayDef',
    'TrnSpatialArray',
    'TrnSpatialArrayStats',
    'TrnTerrainShape',
    'TrnTerrainDef',
    'TrnTerrainProblem',
    'TrnTerrainSample',
    'TrnTick',
    'TrnTicksDef',
    'TrnTicksOutcome',
    'TrnModelFace',
    'TrnMeshInput',
    'TrnMeshInfo',
    'TrnMesh',
    'TrnMeshVertex',
    'TrnStorageKey',
    'TrnStorageRow',
    'TrnStorageValue',
    'TrnStorageBatch',
    'TrnStorageRange',
    'TrnStorage',
    'TrnStorageProblem',
    'TrnStorageProgress',
    'TrnSaveDef',
    'TrnSaveFoldProgress',
    'TrnSaveEvent',
    'TrnSaveStats',
    'TrnRepairReport',
)
TRN_VERSION_MAJOR = 0
TRN_VERSION_MINOR = 3
TRN_VERSION_PATCH = 0
TRN_VERSION_NUMBER = 3000
TRN_SPHERE_RADIUS_MAX = 1024.0
TRN_DATA_BYTES_MAX = 65536
TRN_DATA_CHUNK_BYTES_MAX = 16777216
TRN_DATA_VOXELS_MAX = 4096
TRN_BLOCK_TYPES_MAX = 65536
TRN_BLOCK_NAME_MAX = 63
TRN_BLOCK_LIGHT_MAX = 15
TRN_BLOCK_BITS_WORDS = 2048
TRN_BLOCK_GRID = 16
TRN_BLOCK_BOXES_MAX = 8
TRN_BLOCK_VARIANTS_MAX = 9
TRN_BODY_SIZE_MAX = 64.0
TRN_SWEEP_MAX = 1024.0
TRN_BODY_SPEED_MAX = 4096.0
TRN_BODY_WALK_SPEED = 4.3
TRN_BODY_SWIM_SPEED = 2.5
TRN_BODY_CLIMB_SPEED = 3.0
TRN_BODY_JUMP_SPEED = 9.0
TRN_BODY_GRAVITY = 32.0
TRN_BODY_STEP_MAX = 0.25
TRN_PLANE_PRESENT = 0
TRN_PLANE_COUNT_MAX = 32
TRN_CHUNK_VALUE_NONE = 4294967295
TRN_READER_NAME_BYTES = 32
TRN_PAGE_SHIFT = 3
TRN_PAGE_EDGE = 8
TRN_PAGE_CELLS = 512
TRN_PAGE_WORDS = 8
TRN_PAGE_WORD_BITS = 64
TRN_DIRECTORY_STEPS_MAX = 16
TRN_CHUNK_SHIFT = 5
TRN_CHUNK_EDGE = 32
TRN_CHUNK_VOXELS = 32768
TRN_VOXEL_MIN = -68719476736
TRN_VOXEL_MAX = 68719476735
TRN_AROUND_COUNT = 27
TRN_AROUND_CENTRE = 13
TRN_DELTA_BOX_MAX = 1048576
TRN_FAR_LEVEL_MAX = 8
TRN_FEATURES_REACH_MAX = 4
TRN_FEATURES_LEVEL_MAX = 4
TRN_FLUID_LIQUIDS_MAX = 4
TRN_FLUID_REACTIONS_MAX = 8
TRN_FLUID_LEVEL_MAX = 7
TRN_FLUID_FALLING = 8
TRN_FLUID_DROP_MAX = 5
TRN_GENERATOR_LEVEL_MAX = 12
TRN_STACK_BYTES = 229376
TRN_LIGHT_LEVELS = 4
TRN_LIGHT_EDGE = 34
TRN_LIGHT_ROWS = 1156
TRN_LIGHT_VARIES = 255
TRN_NOISE_OCTAVE_MAX = 8
TRN_NOISE_WARP_OCTAVE_MAX = 4
TRN_NOISE_WAVELENGTH_MIN = 1.0
TRN_NOISE_WAVELENGTH_MAX = 1048576.0
TRN_NOISE_LEVEL_MAX = 31
TRN_NOISE_MARGIN = 32
TRN_RAY_DISTANCE_MAX = 1048576.0
TRN_CHUNK_HEADER_BYTES = 64
TRN_STREAM_LOADS_MAX = 64
TRN_STREAM_WORKERS_DEFAULT = 4294967295
TRN_STREAM_WORKER_MAX = 64
TRN_STREAM_RADIUS_MAX = 16384
TRN_TERRAIN_SEA_LEVEL = 0
TRN_TERRAIN_VERSION = 5
TRN_TERRAIN_VERSION_OLDEST = 4
TRN_TERRAIN_LOWEST = -192
TRN_TERRAIN_HIGHEST = 320
TRN_TERRAIN_LEVEL_MAX = 12
TRN_TICKS_PER_CHUNK_MAX = 64
TRN_TICKS_RADIUS_MAX = 64
TRN_CHUNK_ROWS = 1024
TRN_REVISION_BITS = 46
TRN_REVISION_MAX = 70368744177663
TRN_CHUNK_HALVES = 64
TRN_HALF_ROWS = 16
TRN_QUAD_VERTICES_MAX = 8
TRN_QUAD_INDICES_MAX = 12
TRN_QUAD_PLANT_A = 6
TRN_QUAD_PLANT_B = 7
TRN_LIQUID_DROP = 0.125
TRN_MESH_LIGHT_VARIES = 1
TRN_MESH_SCRATCH_BYTES = 491520
TRN_MESH_QUADS_MAX = 196608
TRN_MESH_OPAQUE_QUADS_MAX = 98304
TRN_MESH_MODEL_FACES_MAX = 1572864
TRN_VISIBILITY_NONE = 0
TRN_VISIBILITY_ALL = 32767
TRN_STORAGE_NAME_MAX = 255
