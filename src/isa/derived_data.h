// What other rooms work out of a module: each kind once, for whoever asks first, and not at each of its
// launches.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

namespace lockstep {

class DerivedData {
 public:
  DerivedData() = default;
  // A copy may be changed, so that nothing is known of it.
  DerivedData(const DerivedData&) {}
  DerivedData& operator=(const DerivedData&) {
    state_ = std::make_unique<State>();
    return *this;
  }

  // The one T, made by `make` where there is none yet. For several threads; `make` asks for nothing else
  // here.
  template <class T, class Make>
  const T& get(const Make& make) const {
    const std::lock_guard lock(state_->mutex);
    std::shared_ptr<const void>& kept = state_->made[typeid(T)];
    if (kept == nullptr) kept = std::make_shared<const T>(make());
    return *static_cast<const T*>(kept.get());
  }

 private:
  struct State {
    std::mutex mutex;
    std::map<std::type_index, std::shared_ptr<const void>> made;
  };
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

}  // namespace lockstep
