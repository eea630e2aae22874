// How the fake driver starts an emulated kernel. Included behind the kernels.
#pragma once

#include <utility>

template <class... A, std::size_t... I>
void call_kernel(void (*kernel)(A...), void** parameters, std::index_sequence<I...>) {
    kernel(*static_cast<A*>(parameters[I])...);
}
template <class... A>
void call_kernel(void (*kernel)(A...), void** parameters) {
    call_kernel(kernel, parameters, std::index_sequence_for<A...>());
}

// Returns what went wrong; empty if nothing did. The arrays are all that may be read and written.
#define LAUNCHER(NAME)                                                                                      \
    extern "C" const char* launch_##NAME(void** parameters, long long tiles, int threads, int shared_bytes, \
                                         void* const* arrays, const long long* bytes, int count) {          \
        emulator::begin(arrays, bytes, count);                                                              \
        emulator::run_launch([](void** given) { call_kernel(NAME, given); }, parameters, tiles, threads,    \
                             shared_bytes, THREADS);                                                        \
        return emulator::error();                                                                           \
    }
