// A vector whose copies share their elements until one of them is changed.
//
// A map that a thousand others were merged into has thousands of inputs. Most steps change only what is
// inside it, and the map of the next state then shares this list with the one before.
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace blockscope {

template <class T>
class SharedVector {
public:
    using value_type = T;
    using const_reference = const T&;
    using const_iterator = typename std::vector<T>::const_iterator;
    using iterator = const_iterator;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;

    SharedVector() = default;
    SharedVector(std::vector<T> items)
        : items_(items.empty() ? nullptr : std::make_shared<std::vector<T>>(std::move(items))) {}
    SharedVector(std::initializer_list<T> items) : SharedVector(std::vector<T>(items)) {}

    const std::vector<T>& items() const {
        static const std::vector<T> kNone;
        return items_ ? *items_ : kNone;
    }
    operator const std::vector<T>&() const { return items(); }

    std::size_t size() const { return items().size(); }
    bool empty() const { return items().empty(); }
    const T& operator[](std::size_t at) const { return items()[at]; }
    const T& at(std::size_t at) const { return items().at(at); }
    const T& front() const { return items().front(); }
    const T& back() const { return items().back(); }
    const_iterator begin() const { return items().begin(); }
    const_iterator end() const { return items().end(); }

    // The elements, to change them: those of this vector alone.
    std::vector<T>& own() {
        if (!items_) items_ = std::make_shared<std::vector<T>>();
        if (items_.use_count() > 1) items_ = std::make_shared<std::vector<T>>(*items_);
        std::atomic_thread_fence(std::memory_order_acquire);  // whoever shared them has read what they wanted
        return *items_;
    }
    void push_back(T item) { own().push_back(std::move(item)); }

    // Whether the two are copies of each other that nobody has changed: as cheap as it is for short ones.
    bool shares(const SharedVector& other) const { return items_ == other.items_; }
    friend bool operator==(const SharedVector& a, const SharedVector& b) {
        return a.shares(b) || a.items() == b.items();
    }

private:
    std::shared_ptr<std::vector<T>> items_;  // null if empty
};

}  // namespace blockscope
