#include "core/engine/pool.h"

#include <algorithm>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace blockscope::engine {

namespace {

// How often a thread looks before it sleeps: some 20 microseconds, as long as the gap between two loops.
constexpr int kSpins = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Until `value` is no longer `old`.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    for (int i = 0; i < kSpins; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause();
    }
    while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

#ifdef __linux__
std::vector<int> usable_core_numbers() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
    return cores;
}

void pin_to(std::thread& thread, int number) {
    const std::vector<int> cores = usable_core_numbers();
    if (cores.empty()) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cores[static_cast<std::size_t>(number) % cores.size()]), &set);
    pthread_setaffinity_np(thread.native_handle(), sizeof set, &set);
}
#endif

}  // namespace

int usable_cores() {
#ifdef __linux__
    const auto cores = static_cast<int>(usable_core_numbers().size());
    if (cores > 0) return cores;
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Pool::Pool(int threads, bool pin) {
    for (int i = 1; i < threads; ++i) {
        others_.emplace_back([this, i] { wait_for_work(i); });
#ifdef __linux__
        if (pin) pin_to(others_.back(), i);
#else
        (void)pin;
#endif
    }
}

Pool::~Pool() {
    stop_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : others_) thread.join();
}

void Pool::run(Work work, void* context) {
    work_ = work;
    context_ = context;
    busy_.store(static_cast<std::uint32_t>(others_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    work(context, 0);
    for (std::uint32_t left = busy_.load(std::memory_order_acquire); left != 0;
         left = busy_.load(std::memory_order_acquire))
        wait_while(busy_, left);
}

void Pool::wait_for_work(int thread) {
    for (std::uint32_t seen = 0;;) {
        wait_while(round_, seen);
        ++seen;
        if (stop_) return;
        work_(context_, thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
    }
}

}  // namespace blockscope::engine
