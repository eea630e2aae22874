#include "tensor_cores.h"
#include "machine.h"

namespace emulator {

namespace {

std::uint32_t word_at(long place) {
    if (place % 4 != 0) fail("a word of shared memory that is not aligned");
    check_shared(place, 4, "read");
    std::uint32_t word;
    std::memcpy(&word, &machine.shared[static_cast<std::size_t>(place)], 4);
    return word;
}

void finish(const Copy& copy) {
    unsigned char* to = &machine.shared[static_cast<std::size_t>(copy.place)];
    std::memcpy(to, copy.from, static_cast<std::size_t>(copy.bytes));
    std::memset(to + copy.bytes, 0, static_cast<std::size_t>(copy.zeros));
}

// Line `l % 8` of matrix `l / 8` is where lane l says. `pick` gives line and column of a lane's two numbers.
template <bool TRANSPOSED>
void load(unsigned int (&to)[4], int place) {
    if (place % 16 != 0) fail("a line of a matrix that is not aligned");
    check_shared(place, 16, "read");
    const auto mine = static_cast<std::uint32_t>(place);
    collective(&mine, 1, to, 4, [](Warp& warp) {
        const auto number = [&](int matrix, int line, int col) {
            std::uint16_t bits;
            std::memcpy(&bits,
                        &machine.shared[warp.in[matrix * 8 + line][0] + 2 * static_cast<unsigned>(col)], 2);
            return static_cast<std::uint32_t>(bits);
        };
        for (int lane = 0; lane < 32; ++lane)
            for (int matrix = 0; matrix < 4; ++matrix) {
                const int a = lane / 4, b = lane % 4 * 2;
                const std::uint32_t low = TRANSPOSED ? number(matrix, b, a) : number(matrix, a, b);
                const std::uint32_t high = TRANSPOSED ? number(matrix, b + 1, a) : number(matrix, a, b + 1);
                warp.out[lane][matrix] = low | high << 16;
            }
    });
}

}  // namespace

void copy_async(int bytes_at_once, int place, const void* from, int bytes) {
    check_shared(place, bytes_at_once, "copy");
    if (place % bytes_at_once != 0 || reinterpret_cast<std::uintptr_t>(from) % bytes_at_once != 0)
        fail("a copy of " + std::to_string(bytes_at_once) + " bytes that is not aligned");
    if (bytes < 0 || bytes > bytes_at_once) fail("a copy of " + std::to_string(bytes) + " bytes");
    if (bytes > 0) check_array(from, static_cast<std::size_t>(bytes), "copy");
    std::memset(&machine.shared[static_cast<std::size_t>(place)], 0xff, bytes_at_once);
    fiber().open.push_back({place, from, bytes, bytes_at_once - bytes});
}

void wait_for_copies(int groups) {
    std::vector<std::vector<Copy>>& under_way = fiber().groups;
    while (under_way.size() > static_cast<std::size_t>(groups)) {
        for (const Copy& copy : under_way.front()) finish(copy);
        under_way.erase(under_way.begin());
    }
}

void multiply(int depth, float (&d)[4], const unsigned int (&left)[4], unsigned int right0,
              unsigned int right1, Unpack unpack) {
    const int per = depth / 8;  // numbers of a register
    std::uint32_t in[10] = {left[0], left[1], left[2], left[3], right0, right1};
    std::memcpy(in + 6, d, 16);
    std::uint32_t out[4];
    collective(in, 10, out, 4, [&](Warp& warp) {
        float a[16][32], b[32][8];
        for (int lane = 0; lane < 32; ++lane) {
            const int group = lane / 4, place = lane % 4 * per;
            for (int i = 0; i < 4; ++i)
                unpack(warp.in[lane][i], &a[group + i % 2 * 8][place + i / 2 * (depth / 2)], 1);
            for (int i = 0; i < 2; ++i) unpack(warp.in[lane][4 + i], &b[place + i * (depth / 2)][group], 8);
        }
        for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < 4; ++i) {
                const int row = lane / 4 + i / 2 * 8, col = lane % 4 * 2 + i % 2;
                float sum;
                std::memcpy(&sum, &warp.in[lane][6 + i], 4);
                for (int k = 0; k < depth; ++k) sum += a[row][k] * b[k][col];
                std::memcpy(&warp.out[lane][i], &sum, 4);
            }
    });
    std::memcpy(d, out, 16);
}

}  // namespace emulator

void commit() {
    emulator::Fiber& fiber = emulator::fiber();
    fiber.groups.push_back(std::move(fiber.open));
    fiber.open.clear();
}
void load_matrices(unsigned int (&to)[4], int place) {
    emulator::load<false>(to, place);
}
void load_matrices_transposed(unsigned int (&to)[4], int place) {
    emulator::load<true>(to, place);
}
unsigned int shared_read_word(int place) {
    return emulator::word_at(place);
}
void shared_write_word(int place, unsigned int bits) {
    if (place % 4 != 0) emulator::fail("a word of shared memory that is not aligned");
    emulator::check_shared(place, 4, "write");
    std::memcpy(&emulator::machine.shared[static_cast<std::size_t>(place)], &bits, 4);
    const auto word = static_cast<std::size_t>(place / 4);
    emulator::machine.writers[word] = emulator::machine.current + 1;
    emulator::fiber().written.push_back(word);
}
void show_writes() {
    for (const std::size_t word : emulator::fiber().written)
        if (emulator::machine.writers[word] == emulator::machine.current + 1)
            emulator::machine.writers[word] = 0;
    emulator::fiber().written.clear();
}
unsigned int shared_address(int place) {
    return static_cast<unsigned int>(place);
}

// Rounded to nearest, ties away from zero, as cvt.rna does.
unsigned int to_tf32(float x) {
    return (float_to_bits(x) + 0x1000u) & 0xffffe000u;
}
