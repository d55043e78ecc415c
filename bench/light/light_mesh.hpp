/// Quads of a lit region: what light adds to their time and number.
#pragma once

#include <memory>
#include <string>

#include "driver/topic.hpp"
#include "light/light_region.hpp"

inline const char *const q_mesh = "quads of a surface chunk, light solved before";
inline const char *const q_quads = "quads of a surface chunk, by number";
inline const char *const q_varied = "quads of a surface chunk where light varies, by number";
inline const char *const by_unlit = "Terrane, without light";

/// Adds these questions about a region. @param by_terrane  the name of the fastest kernels
void add_light_meshes(bench::Bench &bench, const std::string &world,
                      const std::shared_ptr<const LightRegion> &region, const char *by_terrane);
