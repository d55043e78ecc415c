/// Part of topic `shared`: members of a shared world, and how to leave the database empty.
#pragma once

#include <string>
#include <vector>

#include <terrane/member.h>

#include "owned.hpp"

inline const char *const by_notify = "NOTIFY";
inline const char *const by_polls = "polls alone";

/// A member of a shared world.
class Party {
  public:
    /// @param how  hints come: by_notify, by_polls, or the URL of a NATS server
    /// @param place_seconds  between two reports of the player's place
    /// @throws bench::Refused
    Party(const std::string &url, const std::string &how, double place_seconds = 60);
    ~Party();
    Party(const Party &) = delete;
    Party &operator=(const Party &) = delete;

    /// Loads a chunk as a stream would. @throws bench::Refused
    void load(TrnCoord place);
    void set(TrnVoxel voxel, TrnBlock block);
    bool has(TrnVoxel voxel, TrnBlock wanted) const;
    TrnMember *member = nullptr;

  private:
    Owned<TrnBlockTypes, trn_block_types_destroy> types;
    Owned<TrnStore, trn_store_destroy> store;
    TrnSave *made_save = nullptr;
};

/// Returns the path of the Unix socket of a database's server.
std::string server_socket(const std::string &url);

/// The log of the server of a world. Its connection stays, since those that end take their
/// processor time away from what relay_server_us counts.
class ServerLog {
  public:
    /// @throws bench::Refused
    explicit ServerLog(const std::string &url);
    ~ServerLog();
    ServerLog(const ServerLog &) = delete;
    ServerLog &operator=(const ServerLog &) = delete;
    /// Returns how many bytes were ever written.
    double bytes() const;

  private:
    TrnStorage storage = {};
};

/// Removes chunks and all values of a world from its database.
void clear_world(const std::string &url, const std::vector<TrnCoord> &chunks);
