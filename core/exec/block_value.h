// Values of block programs while they are evaluated: items in memory, and nested lists of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace blockscope {

// The extent of a carried value's axis before the first iteration: the value is the same everywhere along the
// axis, and takes the extent of whatever it is first combined with (blocks may be ragged).
constexpr int kSpread = 0;

// A list (elements, count) or an item of rows x cols elements, row-major; vectors have one column, scalars
// one row and one column. A spread axis has one element in memory. Values are immutable once made and cheap
// to copy; their memory belongs to an Arena.
template <class S>
struct Value {
    int rows = 1;
    int cols = 1;
    const S* data = nullptr;
    const Value* elements = nullptr;
    int count = 0;  // elements of a list

    bool is_list() const { return elements != nullptr; }
    static int stored(int extent) { return extent == kSpread ? 1 : extent; }
    int size() const { return stored(rows) * stored(cols); }
};

// Memory that is freed all at once.
template <class T>
class Arena {
public:
    T* allocate(int count) {
        const auto needed = static_cast<std::size_t>(count);
        if (chunks_.empty() || used_ + needed > capacity_) grow(needed);
        T* result = chunks_.back().get() + used_;
        used_ += needed;
        return result;
    }

private:
    void grow(std::size_t needed) {
        capacity_ = std::max(needed, std::min<std::size_t>(2 * capacity_ + 256, std::size_t{1} << 20));
        chunks_.push_back(std::make_unique<T[]>(capacity_));
        used_ = 0;
    }

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t capacity_ = 0;
    std::size_t used_ = 0;
};

template <class S>
struct BlockMemory {
    Arena<S> scalars;
    Arena<Value<S>> values;
};

template <class S>
Value<S> item_value(int rows, int cols, const S* data) {
    Value<S> value;
    value.rows = rows;
    value.cols = cols;
    value.data = data;
    return value;
}

template <class S>
Value<S> list_value(const Value<S>* elements, int count) {
    Value<S> value;
    value.elements = elements;
    value.count = count;
    return value;
}

}  // namespace blockscope
