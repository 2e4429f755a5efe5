// Results of measured points, in a file of SQLite's that several processes may use at once.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "report/view.h"

struct sqlite3;

namespace lockstep {

// Any thread may use it.
class TuneStore {
 public:
  // An empty path: in memory, for this process alone. Errors of all: "bad-database" with SQLite's reason.
  static Expected<std::unique_ptr<TuneStore>> open(const std::string& path);
  ~TuneStore();
  TuneStore(const TuneStore&) = delete;
  TuneStore& operator=(const TuneStore&) = delete;

  // The row of a point that was measured, by what tells it apart from any other.
  Expected<std::optional<Json>> find(const std::string& key);
  Status keep(const std::string& key, const std::string& point, const Json& row);
  // Takes a point of a search for the caller alone; false where somebody else has it. Any process may ask.
  Expected<bool> claim(const std::string& search, u64 point);
  // Nobody works on the search any more.
  Status forget(const std::string& search);
  // How many results there are.
  Expected<u64> size();

 private:
  TuneStore(sqlite3* database, std::string path) : database_(database), path_(std::move(path)) {}
  Diagnostic failure(const std::string& what) const;
  std::mutex mutex_;
  sqlite3* database_;
  std::string path_;
};

}  // namespace lockstep
