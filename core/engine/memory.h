// Aligned memory of numbers, in large pages where the system has them. Copies are the same memory.
#pragma once

#include <cstdint>
#include <memory>

namespace blockscope::engine {

class Memory {
public:
    Memory() = default;
    // Zeros. Throws std::bad_alloc.
    explicit Memory(std::int64_t bytes);

    float* floats() const { return static_cast<float*>(data_.get()); }
    std::uint16_t* halves() const { return static_cast<std::uint16_t*>(data_.get()); }
    std::int64_t bytes() const { return bytes_; }

private:
    std::shared_ptr<void> data_;
    std::int64_t bytes_ = 0;
};

// Writes what caches hold of this memory back and drops it from all of them, one line after the other. False
// on processors without such an instruction.
bool drop_from_caches(const Memory& memory);

// Bytes that this machine has left, without swapping.
std::int64_t available_memory();

}  // namespace blockscope::engine
