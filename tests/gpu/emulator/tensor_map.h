// What the emulator takes for the driver's description of an array (CUtensorMap, 128 bytes).
#pragma once

#include <cstring>

struct alignas(64) TensorMap {
    const char* base = nullptr;
    int rank = 0;
    int element = 0;            // bytes
    long long sizes[5] = {};    // innermost first
    long long strides[5] = {};  // bytes; the first is the element's size
    int box[5] = {};

    TensorMap() = default;
    // Arguments of kernels come as addresses.
    explicit TensorMap(void* from) { std::memcpy(static_cast<void*>(this), from, sizeof *this); }
};
static_assert(sizeof(TensorMap) == 128);
