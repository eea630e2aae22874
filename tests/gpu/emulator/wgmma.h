// What wgmma.cuh takes from the device. A product reads its operands in shared memory as late as the language
// allows, when somebody waits for its group; until then its accumulators hold NaN.
#pragma once

namespace emulator {

using ReadNumber = float (*)(const unsigned char*);

struct GroupProduct {
    float* accumulators = nullptr;  // their first number
    bool from_registers = false;
    unsigned long long left = 0;
    unsigned int registers[4] = {};
    unsigned long long right = 0;
    bool left_transposed = false, right_transposed = false;
    int columns = 0;
    int bytes = 2;  // of a number
    ReadNumber read = nullptr;
};

// Fails unless a fence was before. The numbers of both rows are taken away until the product is waited for.
void start_product(const GroupProduct& product, float* upper, float* lower);
void wait_for_products(int groups);

}  // namespace emulator

template <int N>
struct Size;  // bulk.cuh

void wgmma_fence();
void wgmma_commit();
template <int N>
inline void wgmma_wait() {
    emulator::wait_for_products(N);
}
inline void keep(float&) {}

template <bool LEFT_TRANSPOSED, bool RIGHT_TRANSPOSED, int FIRST, int KJ, class T, int N, class A>
inline void wgmma(T, Size<N>, float (&upper)[KJ], float (&lower)[KJ], const A& left,
                  unsigned long long right) {
    static_assert(N % 8 == 0 && N <= 256 && FIRST + N / 4 <= KJ);
    emulator::GroupProduct product;
    product.accumulators = upper + FIRST;
    if constexpr (__is_same(A, unsigned long long)) {
        product.left = left;
    } else {
        product.from_registers = true;
        __builtin_memcpy(product.registers, left.v, 16);
    }
    product.right = right;
    product.left_transposed = LEFT_TRANSPOSED, product.right_transposed = RIGHT_TRANSPOSED;
    product.columns = N;
    product.bytes = sizeof(T);
    product.read = [](const unsigned char* from) {
        T number;
        __builtin_memcpy(&number, from, sizeof number);
        return to_float(number);
    };
    emulator::start_product(product, upper + FIRST, lower + FIRST);
}
