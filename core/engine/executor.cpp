#include "core/engine/executor.h"

#include <algorithm>
#include <chrono>

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
namespace blockscope::engine {

// A parallel loop (or nest of them) while it runs: tasks are handed out in order, some at a time.
struct Executor::Region {
    const LoopOp* loop;
    std::deque<Worker>* workers;
    std::int64_t tasks;
    std::int64_t chunk;
    mutable std::atomic<std::int64_t> next{0};
};

// Items of an input on their way into the packed form.
struct Executor::Packing {
    const Shared* shared;
    std::deque<Worker>* workers;
    const blockscope::engine::Region* from;
    const blockscope::engine::Region* to;
    ArrayLayout layout;
    std::int64_t items;
    std::int64_t chunk;
    std::atomic<std::int64_t> next{0};
};

namespace {

// What a Clock adds to the time around it: looking at the time once, of the two times that it does.
std::uint64_t ticks_of_a_clock() {
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t start = ticks();
        least = std::min(least, ticks() - start);
    }
    return least;
}

}  // namespace

Executor::Executor(const Shared& shared, int threads, bool pin) : shared_(shared), pool_(threads, pin) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back(shared);
}

std::int64_t Executor::bytes() const {
    std::int64_t sum = 0;
    for (const Worker& worker : workers_) sum += worker.bytes();
    return sum;
}

bool Executor::evict() const {
    return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.evict(); });
}

void Executor::run() {
    profiled_ = false;
    for (Worker& worker : workers_) worker.profiled = false;
    everything();
}

void Executor::everything() {
    pack();
    block(shared_.plan->body);
}

void Executor::run_timed(std::span<double> seconds) {
    profiled_ = false;
    for (Worker& worker : workers_) worker.profiled = false;
    pack();
    const std::vector<PlanOp>& body = shared_.plan->body;
    auto before = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < body.size(); ++i) {
        operation(body[i]);
        const auto now = std::chrono::steady_clock::now();
        seconds[i] = std::chrono::duration<double>(now - before).count();
        before = now;
    }
}

RunProfile Executor::run_profiled() {
    profiled_ = true;
    for (Worker& worker : workers_) {
        worker.profiled = true;
        worker.times = {};
    }
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t start_ticks = ticks();
    everything();
    const std::uint64_t all_ticks = ticks() - start_ticks;
    static const std::uint64_t clock = ticks_of_a_clock();
    RunProfile profile;
    profile.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double tick = profile.wall_seconds / static_cast<double>(std::max<std::uint64_t>(all_ticks, 1));
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        const Times& times = workers_[i].times;
        const auto calls = static_cast<std::uint64_t>(times.matmul_calls + times.routine_calls);
        const std::uint64_t kernels = times.matmul + times.routine + times.packing + calls * clock;
        profile.matmul_seconds += tick * static_cast<double>(times.matmul);
        profile.routine_seconds += tick * static_cast<double>(times.routine);
        profile.packing_seconds += tick * static_cast<double>(times.packing);
        const std::uint64_t busy = i == 0 ? all_ticks - times.waiting : times.busy;
        profile.overhead_seconds += tick * static_cast<double>(busy - std::min(busy, kernels));
        profile.waiting_seconds += tick * static_cast<double>(all_ticks - std::min(all_ticks, busy));
        profile.matmul_flops += times.matmul_flops;
        profile.matmul_calls += times.matmul_calls;
        profile.routine_calls += times.routine_calls;
    }
    return profile;
}

void Executor::pack() {
    const Plan& plan = *shared_.plan;
    for (const auto& [from, to] : plan.packing) {
        const auto& source = plan.regions[static_cast<std::size_t>(from)];
        const Buffer& buffer = plan.program->buffers[static_cast<std::size_t>(source.buffer)];
        Packing packing{&shared_,
                        &workers_,
                        &source,
                        &plan.regions[static_cast<std::size_t>(to)],
                        array_layout(array_type(buffer), buffer.transposed, plan.program->dims),
                        1,
                        1};
        for (const DimId dim : buffer.dims) packing.items *= plan.program->dims[dim.value].blocks();
        packing.chunk = std::max<std::int64_t>(1, packing.items / (std::int64_t{8} * threads()));
        const Pool::Work work = [](void* context, int thread) {
            auto& p = *static_cast<Packing*>(context);
            Worker& worker = (*p.workers)[static_cast<std::size_t>(thread)];
            const Clock busy(worker.profiled && thread > 0, worker.times.busy);
            const DimTable& dims = p.shared->plan->program->dims;
            const Buffer& array = p.shared->plan->program->buffers[static_cast<std::size_t>(p.from->buffer)];
            for (std::int64_t begin = p.next.fetch_add(p.chunk); begin < p.items;
                 begin = p.next.fetch_add(p.chunk))
                for (std::int64_t i = begin; i < std::min(begin + p.chunk, p.items); ++i) {
                    std::int64_t left = i;
                    std::int64_t source_offset = 0;
                    std::int64_t target_offset = 0;
                    std::int64_t row = 0;
                    std::int64_t col = 0;
                    for (std::size_t level = array.dims.size(); level-- > 0;) {
                        const std::int64_t blocks = dims[array.dims[level].value].blocks();
                        const std::int64_t number = left % blocks;
                        left /= blocks;
                        source_offset += number * p.from->steps[level];
                        target_offset += number * p.to->steps[level];
                        if (static_cast<int>(level) == p.layout.row_list) row = number;
                        if (static_cast<int>(level) == p.layout.col_list) col = number;
                    }
                    const Item& item = array.type.item();
                    const Clock clock(worker.profiled, worker.times.packing);
                    worker.pack(*p.from, *p.to, source_offset, target_offset,
                                static_cast<int>(dims[item.rows.value].block_size(row)),
                                static_cast<int>(dims[item.cols.value].block_size(col)));
                }
        };
        pool_.run(work, &packing);
    }
}

void Executor::block(const std::vector<PlanOp>& ops) {
    for (const PlanOp& op : ops) operation(op);
}

void Executor::operation(const PlanOp& op) {
    if (const auto* inner = std::get_if<std::vector<LoopOp>>(&op.what))
        loop(inner->front());
    else
        workers_[0].run(op);
}

// Outside of parallel loops: those with several tasks become parallel, others are walked through.
void Executor::loop(const LoopOp& loop) {
    if (loop.end <= loop.start) return;
    if (!loop.serial && threads() > 1) {
        std::int64_t tasks = 1;
        const LoopOp* inner = &loop;
        for (int i = 0; i < loop.nest; ++i) {
            tasks *= std::max<std::int64_t>(0, inner->end - inner->start);
            if (i + 1 < loop.nest) inner = &std::get<std::vector<LoopOp>>(inner->body[0].what).front();
        }
        if (tasks > 1) return parallel(loop, tasks);
    }
    std::int64_t& at = workers_[0].index[static_cast<std::size_t>(loop.slot)];
    for (at = loop.start; at < loop.end; ++at) block(loop.body);
    at = 0;
}

void Executor::parallel(const LoopOp& loop, std::int64_t tasks) {
    Region region{&loop, &workers_, tasks, std::max<std::int64_t>(1, tasks / (std::int64_t{16} * threads()))};
    const std::uint64_t start = profiled_ ? ticks() : 0;
    const std::uint64_t busy = workers_[0].times.busy;
    pool_.run(
        [](void* context, int thread) {
            const Region& r = *static_cast<const Region*>(context);
            Worker& worker = (*r.workers)[static_cast<std::size_t>(thread)];
            const Clock clock(worker.profiled, worker.times.busy);
            if (thread > 0) {
                const Worker& caller = r.workers->front();
                worker.index = caller.index;
                for (const int temp : r.loop->imports)
                    worker.views[static_cast<std::size_t>(temp)] =
                        caller.views[static_cast<std::size_t>(temp)];
            }
            work_on(r, worker);
        },
        &region);
    if (profiled_) workers_[0].times.waiting += (ticks() - start) - (workers_[0].times.busy - busy);
}

void Executor::work_on(const Region& region, Worker& worker) {
    for (std::int64_t begin = region.next.fetch_add(region.chunk); begin < region.tasks;
         begin = region.next.fetch_add(region.chunk))
        for (std::int64_t task = begin; task < std::min(begin + region.chunk, region.tasks); ++task) {
            // The innermost loop's index runs fastest.
            std::int64_t left = task;
            std::int64_t rest = region.tasks;
            const LoopOp* loop = region.loop;
            for (int i = 0;; ++i) {
                rest /= loop->end - loop->start;
                worker.index[static_cast<std::size_t>(loop->slot)] = loop->start + left / rest;
                left %= rest;
                if (i + 1 == region.loop->nest) break;
                loop = &std::get<std::vector<LoopOp>>(loop->body[0].what).front();
            }
            for (const PlanOp& op : loop->body) worker.run(op);
        }
}

}  // namespace blockscope::engine
