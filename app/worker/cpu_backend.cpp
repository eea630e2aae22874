#include "app/worker/backends.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/worker/probe.h"
#include "core/engine/cpu_program.h"
#include "core/json/device_files.h"
#include "core/state/state.h"

namespace blockscope::worker {

namespace {

constexpr std::int64_t kLeast = std::int64_t{64} << 20;
constexpr std::int64_t kMost = std::int64_t{512} << 20;

std::int64_t flush_bytes(std::int64_t last_level_cache, std::int64_t free_bytes) {
    const std::int64_t wanted = std::clamp(4 * last_level_cache, kLeast, kMost);
    return free_bytes > 0 ? std::min(wanted, std::max(kLeast, free_bytes / 4)) : wanted;
}

}  // namespace

CacheFlush::CacheFlush(std::int64_t last_level_cache, std::int64_t free_bytes)
    : bytes_(flush_bytes(last_level_cache, free_bytes)) {}

void CacheFlush::operator()() {
    buffer_.resize(static_cast<std::size_t>(bytes_) / sizeof(std::uint64_t));
    ++value_;  // another value each time, so that no write can be left out
    std::uint64_t* data = buffer_.data();
    for (std::size_t i = 0; i < buffer_.size(); i += 8) {  // one write per line of 64 bytes
        data[i] = value_;
        asm volatile("" : : "r"(data + i) : "memory");
    }
}

namespace {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;
using measure::PrepareOptions;

class CpuPrepared final : public measure::Prepared {
public:
    explicit CpuPrepared(CpuProgram program) : program_(std::move(program)) {}

    std::string log() const override {
        return std::to_string(program_.threads()) + " threads, " + program_.matmul_microkernel() + ", " +
               program_.vector_microkernel() + ", " + std::to_string(program_.memory_bytes()) + " bytes\n" +
               program_.plan();
    }

    std::optional<Failure> set_inputs(const Tensors<double>& inputs) override {
        for (std::size_t i = 0; i < program_.inputs().size(); ++i) {
            const EngineArray& array = program_.inputs()[i];
            const auto found = inputs.find(array.name);
            if (found == inputs.end() || found->second.size() != array.elements)
                return Failure{FailureClass::Internal, Text("The input %1 is missing.", array.name), {}};
            const std::vector<float> values(found->second.data.begin(), found->second.data.end());
            program_.set_input(static_cast<int>(i), values);
        }
        return std::nullopt;
    }

    std::optional<Failure> poison() override {
        program_.fill_with_nan();
        return std::nullopt;
    }

    Outcome<double> run() override {
        using SteadyClock = std::chrono::steady_clock;
        const SteadyClock::time_point start = SteadyClock::now();
        program_.run();
        return std::chrono::duration<double>(SteadyClock::now() - start).count();
    }

    Outcome<std::vector<double>> run_kernels() override { return program_.run_kernels(); }

    Outcome<Tensors<double>> outputs() override {
        Tensors<double> result;
        for (std::size_t i = 0; i < program_.outputs().size(); ++i) {
            const EngineArray& array = program_.outputs()[i];
            const std::span<const float> values = program_.output(static_cast<int>(i));
            result[array.name] = {array.shape, std::vector<double>(values.begin(), values.end())};
        }
        return result;
    }

    bool evict() override { return program_.evict(); }

private:
    CpuProgram program_;
};

class CpuBackend final : public measure::Backend {
public:
    CpuBackend()
        : machine_(this_machine()), flush_(machine_.last_level_cache(), current_conditions().free_bytes) {}

    measure::BackendInfo info() const override { return {"cpu", machine_.cpu}; }

    Outcome<std::unique_ptr<measure::Prepared>> prepare(const BlockProgram& program,
                                                        const PrepareOptions& options) override {
        if (options.tf32 || (options.elem != ElemType::F32 && options.elem != ElemType::BF16))
            return Failure{FailureClass::Refused, Text("The processor takes inputs in f32 or bf16."), {}};
        EngineOptions engine;
        engine.threads = options.threads;
        engine.precision = options.elem == ElemType::BF16 ? Precision::BF16 : Precision::F32;
        const State state(program, in_loops(options.loops));
        Result<CpuProgram> prepared = CpuProgram::prepare(state.loops(), engine);
        if (!prepared) {
            Text sentences;
            for (const Problem& problem : prepared.problems())
                sentences = sentences.empty() ? problem.message : Text("%1\n%2", sentences, problem.message);
            const bool memory = CpuProgram::lacks_memory(prepared.problems());
            return Failure{memory ? FailureClass::OutOfMemory : FailureClass::Compile, sentences, {}};
        }
        return std::unique_ptr<measure::Prepared>(std::make_unique<CpuPrepared>(std::move(prepared).value()));
    }

    std::optional<Failure> flush_caches() override {
        flush_();
        return std::nullopt;
    }

    std::optional<measure::CpuTimes> cpu_times() override { return worker::cpu_times(); }

    Outcome<json::Value> calibrate(const measure::WorkProgress& progress) override {
        const Outcome<Device> device = calibrate_cpu(progress);
        if (!device) return device.failure();
        return json::parse(write_json(*device), kLocalCpu).value();
    }

private:
    measure::Machine machine_;
    CacheFlush flush_;
};

}  // namespace

std::unique_ptr<measure::Backend> cpu_backend() {
    return std::make_unique<CpuBackend>();
}

}  // namespace blockscope::worker
