// Made by tools/bindings/generate.py from packaging/api/terrane.json; change the headers instead.

//! The ids of the built-in blocks, which every [`BlockTypes`](crate::BlockTypes) has.

use crate::Block;

/// id 0 of every registry
pub const AIR: Block = 0;
/// most rock
pub const STONE: Block = 1;
/// below grass
pub const DIRT: Block = 2;
/// ground of grassland
pub const GRASS: Block = 3;
/// beaches, sea beds and deserts
pub const SAND: Block = 4;
/// shores, sea beds and tundra
pub const GRAVEL: Block = 5;
/// ground of cold land and peaks
pub const SNOW: Block = 6;
/// a liquid
pub const WATER: Block = 7;
/// on cold seas; opaque
pub const ICE: Block = 8;
/// steep ground of deserts
pub const SANDSTONE: Block = 9;
/// a layer of rock
pub const SLATE: Block = 10;
/// a layer of rock
pub const LIMESTONE: Block = 11;
/// a layer of rock
pub const GRANITE: Block = 12;
/// ground of swamps
pub const MUD: Block = 13;
/// ground of forests
pub const FOREST_FLOOR: Block = 14;
/// ground of savannas
pub const DRY_GRASS: Block = 15;
/// ground of tundra
pub const MOSS: Block = 16;
/// veins in rock
pub const COAL_ORE: Block = 17;
/// veins in rock
pub const IRON_ORE: Block = 18;
/// veins in rock
pub const GOLD_ORE: Block = 19;
/// trunk of an oak
pub const OAK_LOG: Block = 20;
/// crown of an oak
pub const OAK_LEAVES: Block = 21;
/// trunk of a pine
pub const PINE_LOG: Block = 22;
/// crown of a pine
pub const PINE_LEAVES: Block = 23;
/// trunk of an acacia
pub const ACACIA_LOG: Block = 24;
/// crown of an acacia
pub const ACACIA_LEAVES: Block = 25;
/// grows in deserts
pub const CACTUS: Block = 26;
/// a plant
pub const TALL_GRASS: Block = 27;
/// a plant
pub const FLOWER: Block = 28;
/// a plant
pub const DEAD_BUSH: Block = 29;
/// a plant
pub const REEDS: Block = 30;
/// not in the terrain
pub const GLASS: Block = 31;
/// not in the terrain; not solid, and bodies climb in it
pub const SCAFFOLD: Block = 32;
/// not in the terrain; emits light 14
pub const LANTERN: Block = 33;
/// not in the terrain; emits light 11
pub const GLOWING_STONE: Block = 34;
/// in deep caves; a liquid that emits light 15
pub const LAVA: Block = 35;
/// variant 1 of water
pub const WATER_FLOW: Block = 36;
/// variant 1 of lava
pub const LAVA_FLOW: Block = 44;
/// the first of what follows: to build with
pub const OAK_PLANKS: Block = 52;
/// a cutout
pub const BIRCH_LEAVES: Block = 55;
/// 8 turns, as all slabs
pub const STONE_SLAB: Block = 57;
/// 8 turns, as all stairs
pub const STONE_STAIRS: Block = 121;
/// connects
pub const OAK_FENCE: Block = 185;
/// connects
pub const STONE_WALL: Block = 188;
/// connects
pub const GLASS_PANE: Block = 193;
/// 4 turns; then open, 4 turns
pub const OAK_DOOR: Block = 195;
/// 4 turns
pub const OAK_LADDER: Block = 219;
/// emits light 14
pub const TORCH: Block = 223;
/// 4 turns; emits light 14
pub const WALL_TORCH: Block = 224;
/// emits light 14
pub const STANDING_LANTERN: Block = 228;
/// the first of three
pub const RED_CARPET: Block = 229;
/// the first of four stages
pub const WHEAT: Block = 232;
/// emits light 14
pub const HANGING_LANTERN: Block = 236;
/// trunk of an aspen
pub const ASPEN_LOG: Block = 237;
/// crown of an aspen
pub const ASPEN_LEAVES: Block = 238;
/// crown of a willow
pub const WILLOW_LEAVES: Block = 239;
/// crown of a palm
pub const PALM_LEAVES: Block = 240;
/// fallen trunks, dead trees
pub const DEAD_WOOD: Block = 241;
/// a plant
pub const FERN: Block = 242;
/// a plant
pub const RED_FLOWER: Block = 243;
/// a plant
pub const BLUE_FLOWER: Block = 244;
/// a plant
pub const WHITE_FLOWER: Block = 245;
/// the first of what imported worlds are made of
pub const WHITE_WOOL: Block = 246;
/// rock of wet caves
pub const TUFF: Block = 326;
/// beds of pools
pub const CLAY: Block = 338;
/// rock of dry caves
pub const DRIPSTONE: Block = 339;
/// below crystals
pub const AMETHYST: Block = 340;
/// rock of deep caves
pub const BASALT: Block = 343;
/// floors of deep caves
pub const BLACKSTONE: Block = 344;
/// around lava; emits light 3
pub const MAGMA: Block = 387;
/// emits light 7
pub const LICHEN_FLAT: Block = 622;
/// of dripstone
pub const SPIKE: Block = 658;
/// in wet caves; emits light 9
pub const GLOWING_MOSS: Block = 666;
/// sea beds
pub const RIPPLED_SAND: Block = 667;
/// warm sea beds
pub const RED_CORAL: Block = 668;
/// warm sea beds
pub const YELLOW_CORAL: Block = 669;
/// warm sea beds
pub const VIOLET_CORAL: Block = 670;
/// the tip of a spike
pub const STALAGMITE: Block = 671;
/// the tip of a spike, downwards
pub const STALACTITE: Block = 672;
/// emits light 11
pub const CRYSTAL_CLUSTER: Block = 673;
/// a plant in water
pub const KELP: Block = 674;
/// a plant in water
pub const SEA_GRASS: Block = 675;
/// the number of built-in types; a game's own ids begin here
pub const BUILTIN_COUNT: Block = 676;
