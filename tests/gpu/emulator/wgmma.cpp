#include "wgmma.h"

#include <limits>
#include <utility>

#include "machine.h"

namespace emulator {

namespace {

// Of one thread. The values of accumulators are here while products that add to them are under way.
struct Accumulators {
    float* upper = nullptr;
    float* lower = nullptr;
    std::vector<float> values;  // in the instruction's order
    int uses = 0;
};

struct GroupThread {
    std::vector<Accumulators> accumulators;
    std::vector<GroupProduct> open;                 // not in a group yet
    std::vector<std::vector<GroupProduct>> groups;  // oldest first
    bool fenced = false;
};

struct WarpGroup {
    int arrived = 0;
    long generation = 0;
};

struct Groups {
    std::vector<GroupThread> threads;
    std::vector<WarpGroup> groups;
};
Groups groups;

GroupThread& group_thread() {
    return groups.threads[static_cast<std::size_t>(machine.current)];
}

Accumulators& accumulators_at(GroupThread& thread, float* upper) {
    for (Accumulators& one : thread.accumulators)
        if (one.upper == upper) return one;
    fail("accumulators that no product has");
    return thread.accumulators.front();
}

// Takes the numbers away until the product is waited for.
void take(GroupThread& thread, float* upper, float* lower, int columns) {
    for (Accumulators& one : thread.accumulators)
        if (one.upper == upper) {
            ++one.uses;
            return;
        }
    Accumulators taken{upper, lower, {}, 1};
    for (int pair = 0; pair < columns / 4; pair += 2)
        for (float* row : {upper, lower})
            for (int i = pair; i < pair + 2; ++i) {
                taken.values.push_back(row[i]);
                row[i] = std::numeric_limits<float>::quiet_NaN();
            }
    thread.accumulators.push_back(std::move(taken));
}

void give_back(const Accumulators& taken) {
    std::size_t next = 0;
    for (std::size_t pair = 0; pair < taken.values.size() / 2; pair += 2)
        for (float* row : {taken.upper, taken.lower})
            for (std::size_t i = pair; i < pair + 2; ++i) row[i] = taken.values[next++];
}

// A number of an operand in shared memory. Lines of 128 bytes lie in groups of eight.
float number_at(const GroupProduct& product, unsigned long long descriptor, bool transposed, int row, int k) {
    if (descriptor >> 62 != 1) fail("a descriptor without the swizzling of 128 bytes");
    const long start = static_cast<long>(descriptor & 0x3fff) << 4;
    const long panel = static_cast<long>(descriptor >> 16 & 0x3fff) << 4;
    const long group = static_cast<long>(descriptor >> 32 & 0x3fff) << 4;
    const int per_line = 128 / product.bytes;
    const long plain = transposed ? start + row / per_line * panel + k / 8 * group + k % 8 * 128 +
                                        row % per_line * product.bytes
                                  : start + row / 8 * group + row % 8 * 128 + k * product.bytes;
    const long place = plain ^ (plain >> 7 & 7) << 4;
    check_shared(place, product.bytes, "read");
    if (machine.writers[static_cast<std::size_t>(place / 4)] != 0)
        fail("a product reads what a thread has written and not shown");
    return product.read(&machine.shared[static_cast<std::size_t>(place)]);
}

// One product of all 128 threads from `first` on.
void multiply_group(int first, std::size_t group, std::size_t which) {
    const auto product = [&](int t) -> const GroupProduct& {
        return groups.threads[static_cast<std::size_t>(first + t)].groups.at(group).at(which);
    };
    const GroupProduct& one = product(0);
    const int depth = 32 / one.bytes;
    std::vector<float> left(static_cast<std::size_t>(64 * depth));
    std::vector<float> right(static_cast<std::size_t>(one.columns * depth));
    for (int t = 0; t < 128 && one.from_registers; ++t)
        for (int part = 0; part < 4; ++part) {
            const int row = t / 32 * 16 + t % 32 / 4 + part % 2 * 8;
            const int k = (t % 4 + part / 2 * 4) * (4 / one.bytes);
            for (int i = 0; i < 4 / one.bytes; ++i)
                left[static_cast<std::size_t>(row * depth + k + i)] = one.read(
                    reinterpret_cast<const unsigned char*>(&product(t).registers[part]) + i * one.bytes);
        }
    for (int row = 0; row < 64 && !one.from_registers; ++row)
        for (int k = 0; k < depth; ++k)
            left[static_cast<std::size_t>(row * depth + k)] =
                number_at(one, one.left, one.left_transposed, row, k);
    for (int col = 0; col < one.columns; ++col)
        for (int k = 0; k < depth; ++k)
            right[static_cast<std::size_t>(col * depth + k)] =
                number_at(one, one.right, one.right_transposed, col, k);
    for (int t = 0; t < 128; ++t) {
        Accumulators& to =
            accumulators_at(groups.threads[static_cast<std::size_t>(first + t)], product(t).accumulators);
        for (std::size_t i = 0; i < to.values.size(); ++i) {
            const int row = t / 32 * 16 + t % 32 / 4 + static_cast<int>(i) / 2 % 2 * 8;
            const int col = static_cast<int>(i) / 4 * 8 + t % 4 * 2 + static_cast<int>(i) % 2;
            for (int k = 0; k < depth; ++k)
                to.values[i] += left[static_cast<std::size_t>(row * depth + k)] *
                                right[static_cast<std::size_t>(col * depth + k)];
        }
    }
}

// All 128 threads of the group wait; the last one computes the oldest group of products.
void finish_oldest() {
    GroupThread& thread = group_thread();
    const int first = machine.current / 128 * 128;
    WarpGroup& group = groups.groups[static_cast<std::size_t>(machine.current / 128)];
    const long generation = group.generation;
    if (++group.arrived == 128) {
        for (std::size_t i = 0; i < thread.groups.front().size(); ++i) multiply_group(first, 0, i);
        group.arrived = 0;
        ++group.generation;
        ++machine.progress;
    } else {
        while (group.generation == generation) pause();
    }
    for (const GroupProduct& product : thread.groups.front())
        --accumulators_at(thread, product.accumulators).uses;
    thread.groups.erase(thread.groups.begin());
    for (std::size_t i = thread.accumulators.size(); i-- > 0;) {
        if (thread.accumulators[i].uses > 0) continue;
        give_back(thread.accumulators[i]);
        thread.accumulators.erase(thread.accumulators.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

}  // namespace

void forget_products() {
    groups.threads.assign(machine.fibers.size(), {});
    groups.groups.assign((machine.fibers.size() + 127) / 128, {});
}

void start_product(const GroupProduct& product, float* upper, float* lower) {
    GroupThread& thread = group_thread();
    if (!thread.fenced) fail("a product of registers that no fence has made ready");
    take(thread, upper, lower, product.columns);
    thread.open.push_back(product);
}

void wait_for_products(int left) {
    while (group_thread().groups.size() > static_cast<std::size_t>(left)) finish_oldest();
    group_thread().fenced = false;
}

}  // namespace emulator

void wgmma_fence() {
    emulator::group_thread().fenced = true;
}

void wgmma_commit() {
    emulator::GroupThread& thread = emulator::group_thread();
    thread.groups.push_back(std::move(thread.open));
    thread.open.clear();
}
