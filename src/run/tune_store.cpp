#include "run/tune_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace lockstep {
namespace {

constexpr int busy_milliseconds = 60'000;  // others write for a moment at a time

// The columns beside the row are for people who look at the file with SQL.
constexpr const char* tables =
    "CREATE TABLE IF NOT EXISTS result (key TEXT PRIMARY KEY, point TEXT NOT NULL, gpu TEXT NOT NULL, "
    "status TEXT NOT NULL, time_ns REAL, row TEXT NOT NULL) WITHOUT ROWID; "
    "CREATE TABLE IF NOT EXISTS claim (search TEXT, point INTEGER, PRIMARY KEY (search, point)) WITHOUT "
    "ROWID";

class Statement {
 public:
  Statement(sqlite3* database, const char* text) {
    ::sqlite3_prepare_v2(database, text, -1, &statement_, nullptr);
  }
  ~Statement() { ::sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int at, const std::string& text) {
    ::sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int at, f64 value) { ::sqlite3_bind_double(statement_, at, value); }
  void bind(int at, u64 value) { ::sqlite3_bind_int64(statement_, at, static_cast<i64>(value)); }
  u64 integer(int column) { return static_cast<u64>(::sqlite3_column_int64(statement_, column)); }
  int step() { return statement_ == nullptr ? SQLITE_ERROR : ::sqlite3_step(statement_); }
  std::string text(int column) {
    const unsigned char* got = ::sqlite3_column_text(statement_, column);
    return got == nullptr ? "" : reinterpret_cast<const char*>(got);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

Diagnostic TuneStore::failure(const std::string& what) const {
  return {"bad-database",
          {path_, 0, 0},
          fmt::format("{}: {}", what, ::sqlite3_errmsg(database_)),
          "name a new file, or one that 'lockstep tune' wrote"};
}

Expected<std::unique_ptr<TuneStore>> TuneStore::open(const std::string& path) {
  sqlite3* database = nullptr;
  const std::string name = path.empty() ? ":memory:" : path;
  const int opened = ::sqlite3_open_v2(
      name.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
  std::unique_ptr<TuneStore> made(new TuneStore(database, name));
  if (opened != SQLITE_OK) return made->failure("the results cannot be opened");
  ::sqlite3_busy_timeout(database, busy_milliseconds);
  if (::sqlite3_exec(database, tables, nullptr, nullptr, nullptr) != SQLITE_OK)
    return made->failure("this holds no results");
  return made;
}

TuneStore::~TuneStore() {
  ::sqlite3_close(database_);
}

Expected<std::optional<Json>> TuneStore::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  Statement select(database_, "SELECT row FROM result WHERE key = ?");
  select.bind(1, key);
  const int got = select.step();
  if (got == SQLITE_DONE) return std::optional<Json>();
  if (got != SQLITE_ROW) return failure("a result cannot be read");
  Json row = Json::parse(select.text(0), nullptr, false);
  // A row that is none is measured again.
  if (!row.is_object()) return std::optional<Json>();
  return std::optional<Json>(std::move(row));
}

Status TuneStore::keep(const std::string& key, const std::string& point, const Json& row) {
  const std::lock_guard lock(mutex_);
  Statement insert(database_, "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?)");
  insert.bind(1, key);
  insert.bind(2, point);
  insert.bind(3, row["gpu"].get<std::string>());
  insert.bind(4, row["status"].get<std::string>());
  if (!row["time_ns"].is_null()) insert.bind(5, row["time_ns"].get<f64>());
  insert.bind(6, row.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (insert.step() != SQLITE_DONE) return failure("a result cannot be written");
  return Success{};
}

Expected<bool> TuneStore::claim(const std::string& search, u64 point) {
  const std::lock_guard lock(mutex_);
  Statement insert(database_, "INSERT OR IGNORE INTO claim VALUES (?, ?)");
  insert.bind(1, search);
  insert.bind(2, point);
  if (insert.step() != SQLITE_DONE) return failure("a point cannot be taken");
  return ::sqlite3_changes(database_) == 1;
}

Status TuneStore::forget(const std::string& search) {
  const std::lock_guard lock(mutex_);
  Statement remove(database_, "DELETE FROM claim WHERE search = ?");
  remove.bind(1, search);
  if (remove.step() != SQLITE_DONE) return failure("a search cannot be forgotten");
  return Success{};
}

Expected<u64> TuneStore::size() {
  const std::lock_guard lock(mutex_);
  Statement count(database_, "SELECT count(*) FROM result");
  if (count.step() != SQLITE_ROW) return failure("results cannot be counted");
  return count.integer(0);
}

}  // namespace lockstep
