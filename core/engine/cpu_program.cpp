#include "core/engine/cpu_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>

#include "core/cost/terms.h"
#include "core/engine/executor.h"
#include "core/exec/evaluate.h"

namespace blockscope {

using engine::Memory;
using engine::Plan;
using engine::Region;

struct CpuProgram::State {
    LoopProgram program;
    Plan plan;
    engine::Shared shared;
    std::unique_ptr<engine::Executor> executor;
    std::vector<EngineArray> inputs;
    std::vector<EngineArray> outputs;
    std::vector<std::size_t> input_regions;
    std::vector<std::size_t> output_regions;
    std::vector<std::size_t> statements;  // of program.body, by operation of the plan's body
    std::int64_t region_bytes = 0;
    std::string matmul_name = engine::matmul_name();
    std::string vector_name = engine::simd().name;

    void take_memory();
};

namespace {

constexpr std::int64_t kMegabyte = 1 << 20;
constexpr auto kTooLarge = TextTemplate<4>(
    "the engine cannot run this program: its arrays take %1 MB, and %2 MB are allowed; the largest is %3 "
    "with %4 MB");

std::int64_t bytes_of(const Region& region) {
    return region.elements * (region.bf16 ? 2 : 4);
}

Problem too_large(std::int64_t bytes, std::int64_t limit, const Plan& plan) {
    const auto largest =
        std::max_element(plan.regions.begin(), plan.regions.end(),
                         [](const Region& a, const Region& b) { return bytes_of(a) < bytes_of(b); });
    const std::string& name = plan.program->buffers[static_cast<std::size_t>(largest->buffer)].name;
    return {{}, Text(kTooLarge, bytes / kMegabyte, limit / kMegabyte, name, bytes_of(*largest) / kMegabyte)};
}

// To the nearest, ties to even.
std::uint16_t to_bf16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

// As the program declares it: a buffer that reads V transposed is called VT.
std::string declared_name(const Buffer& buffer) {
    return buffer.transposed ? buffer.name.substr(0, buffer.name.size() - 1) : buffer.name;
}

EngineArray array_of(const Buffer& buffer, const DimTable& dims) {
    EngineArray array{declared_name(buffer),
                      array_layout(engine::array_type(buffer), buffer.transposed, dims).shape, 1};
    array.elements = element_count(array.shape);
    return array;
}

// Which top-level statement each operation of the plan's body does. A loop is one operation.
std::vector<std::size_t> statements_of(const Plan& plan) {
    const Block& body = plan.program->body;
    std::vector<std::size_t> statements;
    std::size_t at = 0;
    for (const engine::PlanOp& op : plan.body) {
        const auto found = std::find_if(body.begin() + static_cast<std::ptrdiff_t>(at), body.end(),
                                        [&](const Statement& each) { return each.node == op.node; });
        if (found != body.end()) at = static_cast<std::size_t>(found - body.begin());
        statements.push_back(std::min(at, body.size() - 1));
        if (std::holds_alternative<std::vector<engine::LoopOp>>(op.what)) ++at;
    }
    return statements;
}

}  // namespace

// Arrays that a program reads plain and transposed exist once.
void CpuProgram::State::take_memory() {
    for (std::size_t i = 0; i < plan.regions.size(); ++i) {
        const Region& region = plan.regions[i];
        const Buffer& buffer = program.buffers[static_cast<std::size_t>(region.buffer)];
        const bool input = buffer.kind == Buffer::Kind::Input;
        const auto same = std::find_if(inputs.begin(), inputs.end(),
                                       [&](const EngineArray& a) { return a.name == declared_name(buffer); });
        if (input && !region.packed_input && same != inputs.end()) {
            shared.regions.push_back(
                shared.regions[input_regions[static_cast<std::size_t>(same - inputs.begin())]]);
            continue;
        }
        shared.regions.emplace_back(bytes_of(region));
        region_bytes += bytes_of(region);
        if (region.packed_input || buffer.kind == Buffer::Kind::Intermediate) continue;
        (input ? inputs : outputs).push_back(array_of(buffer, program.dims));
        (input ? input_regions : output_regions).push_back(i);
    }
}

CpuProgram::CpuProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
CpuProgram::CpuProgram(CpuProgram&&) noexcept = default;
CpuProgram& CpuProgram::operator=(CpuProgram&&) noexcept = default;
CpuProgram::~CpuProgram() = default;

Result<CpuProgram> CpuProgram::prepare(const LoopProgram& program, const EngineOptions& options) {
    auto state = std::make_unique<State>();
    state->program = program;
    Result<Plan> plan = engine::make_plan(state->program, options.precision);
    if (!plan) return plan.problems();
    state->plan = std::move(plan).value();
    const std::int64_t limit =
        options.memory_limit > 0 ? options.memory_limit : engine::available_memory() / 4 * 3;
    const int threads = options.threads > 0 ? options.threads : engine::usable_cores();
    std::int64_t needed = saturating_multiply(threads, 4 * state->plan.arena_floats);
    for (const Region& region : state->plan.regions) needed = saturating_add(needed, bytes_of(region));
    if (needed > limit) return too_large(needed, limit, state->plan);
    try {
        state->shared.plan = &state->plan;
        state->shared.simd = &engine::simd();
        for (const engine::MatmulShape& shape : state->plan.matmuls)
            state->shared.matmuls.emplace_back(shape);
        state->statements = statements_of(state->plan);
        state->take_memory();
        state->executor = std::make_unique<engine::Executor>(state->shared, threads);
    } catch (const std::bad_alloc&) {
        return too_large(needed, limit, state->plan);
    }
    return CpuProgram(std::move(state));
}

bool CpuProgram::lacks_memory(const Problems& problems) {
    return problems.size() == 1 && problems.front().message.english() == kTooLarge.english();
}

const std::vector<EngineArray>& CpuProgram::inputs() const {
    return state_->inputs;
}

const std::vector<EngineArray>& CpuProgram::outputs() const {
    return state_->outputs;
}

void CpuProgram::set_input(int index, std::span<const float> values) {
    const auto number = static_cast<std::size_t>(index);
    const EngineArray& array = state_->inputs.at(number);
    if (static_cast<std::int64_t>(values.size()) != array.elements)
        throw InternalError("the input " + array.name + " has " + std::to_string(array.elements) +
                            " elements, not " + std::to_string(values.size()));
    const std::size_t region = state_->input_regions[number];
    const Memory& memory = state_->shared.regions[region];
    if (state_->plan.regions[region].bf16)
        std::transform(values.begin(), values.end(), memory.halves(), to_bf16);
    else
        std::copy(values.begin(), values.end(), memory.floats());
}

void CpuProgram::fill_with_nan() {
    for (std::size_t i = 0; i < state_->plan.regions.size(); ++i) {
        const Region& region = state_->plan.regions[i];
        const bool input =
            state_->program.buffers[static_cast<std::size_t>(region.buffer)].kind == Buffer::Kind::Input;
        if (!input || region.packed_input)
            std::fill_n(state_->shared.regions[i].floats(), region.elements,
                        std::numeric_limits<float>::quiet_NaN());
    }
}

void CpuProgram::run() {
    state_->executor->run();
}

RunProfile CpuProgram::run_profiled() {
    return state_->executor->run_profiled();
}

std::vector<double> CpuProgram::run_kernels() {
    std::vector<double> seconds(state_->plan.body.size(), 0);
    state_->executor->run_timed(seconds);
    std::vector<double> kernels(state_->program.body.size(), 0);
    for (std::size_t i = 0; i < seconds.size(); ++i) kernels[state_->statements[i]] += seconds[i];
    return kernels;
}

bool CpuProgram::evict() {
    bool done = true;
    for (const Memory& memory : state_->shared.regions) done = engine::drop_from_caches(memory) && done;
    return state_->executor->evict() && done;
}

std::span<const float> CpuProgram::output(int index) const {
    const auto number = static_cast<std::size_t>(index);
    const Memory& memory = state_->shared.regions[state_->output_regions.at(number)];
    return {memory.floats(), static_cast<std::size_t>(state_->outputs[number].elements)};
}

int CpuProgram::threads() const {
    return state_->executor->threads();
}

std::int64_t CpuProgram::memory_bytes() const {
    return state_->region_bytes + state_->executor->bytes();
}

std::int64_t CpuProgram::local_bytes() const {
    return state_->executor->worker_bytes();
}

const std::string& CpuProgram::matmul_microkernel() const {
    return state_->matmul_name;
}

const std::string& CpuProgram::vector_microkernel() const {
    return state_->vector_name;
}

std::string CpuProgram::plan() const {
    return engine::to_string(state_->plan);
}

}  // namespace blockscope
