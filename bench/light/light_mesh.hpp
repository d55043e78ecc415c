/// Quads of a lit region: how much time and how many quads light adds.
#pragma once

#include <memory>
#include <string>

#include "driver/topic.hpp"
#include "light/light_region.hpp"

inline const char *const q_mesh = "quads of a surface chunk, light solved before";
inline const char *const q_quads = "quads of a surface chunk, by number";
inline const char *const q_varied = "quads of a surface chunk where light varies, by number";
inline const char *const by_unlit = "Terrane, without light";

/// Adds the scenes of a region. @param by_terrane the contender's name for the fastest kernels
void add_light_meshes(bench::Bench &bench, const std::string &world,
                      const std::shared_ptr<const LightRegion> &region, const char *by_terrane);
