#include "app/worker/gpu_backend.h"

#include <sstream>
#include <utility>

#include "app/worker/calibrate_card.h"
#include "app/worker/card_search.h"
#include "core/json/device_files.h"
#include "core/json/device_json.h"
#include "core/loops/loop_program.h"
#include "gpu/driver/card_program.h"
#include "gpu/driver/elements.h"
#include "gpu/driver/for_card.h"

namespace blockscope::worker {
namespace {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

constexpr std::int64_t kLeastFlush = std::int64_t{256} << 20;  // bytes

std::string sentences(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + to_string(problem);
    return text;
}

// What ptxas said of each kernel, and what the driver says now that it is on the card.
std::string compile_report(const gpu::Compiled& compiled, const gpu::CardProgram& program,
                           const std::string& how) {
    std::ostringstream text;
    text << how << ", " << (compiled.from_cache ? "compiled before" : "compiled in ");
    if (!compiled.from_cache) text << static_cast<int>(compiled.seconds * 1e3) << " ms";
    text << ", " << program.bytes() << " bytes\n";
    for (const gpu::KernelFacts& facts : program.facts())
        text << facts.kernel << ": " << facts.registers << " registers, " << facts.shared_bytes
             << " bytes of shared memory, " << facts.local_bytes << " bytes spilled, "
             << facts.blocks_per_processor << " thread blocks a processor\n";
    for (const std::string& warning : compiled.warnings) text << warning << '\n';
    return text.str();
}

class GpuPrepared final : public measure::Prepared {
public:
    GpuPrepared(gpu::CardProgram program, std::string log, std::string instead)
        : program_(std::move(program)), log_(std::move(log)), instead_(std::move(instead)) {}

    std::string log() const override { return log_; }
    std::string instead() const override { return instead_; }

    std::vector<measure::PreparedKernel> kernels() const override {
        std::vector<measure::PreparedKernel> found;
        for (std::size_t i = 0; i < program_.set().launches.size(); ++i) {
            const gpu::Launch& launch = program_.set().launches[i];
            if (launch.combines) continue;
            found.push_back({launch.node, program_.facts().at(i).blocks_per_processor, launch.parts,
                             static_cast<double>(launch.part_bytes), launch.adds});
        }
        return found;
    }

    std::optional<Failure> set_inputs(const Tensors<double>& inputs) override {
        for (const int i : arrays(gpu::DeviceArray::Kind::Input)) {
            const gpu::DeviceArray& array = program_.set().arrays[static_cast<std::size_t>(i)];
            const auto found = inputs.find(array.name);
            if (found == inputs.end() || found->second.size() != array.elements)
                return Failure{FailureClass::Internal, "The input " + array.name + " is missing.", {}};
            if (auto failure = program_.write(i, found->second.data)) return failure;
        }
        return std::nullopt;
    }

    std::optional<Failure> poison() override { return program_.poison(); }
    Outcome<double> run() override { return program_.run(); }

    Outcome<Tensors<double>> outputs() override {
        Tensors<double> result;
        for (const int i : arrays(gpu::DeviceArray::Kind::Output)) {
            const gpu::DeviceArray& array = program_.set().arrays[static_cast<std::size_t>(i)];
            Outcome<std::vector<double>> values = program_.read(i);
            if (!values) return values.failure();
            result[array.name] = {array.shape, std::move(values).value()};
        }
        return result;
    }

private:
    std::vector<int> arrays(gpu::DeviceArray::Kind kind) const {
        std::vector<int> found;
        for (std::size_t i = 0; i < program_.set().arrays.size(); ++i)
            if (program_.set().arrays[i].kind == kind) found.push_back(static_cast<int>(i));
        return found;
    }

    gpu::CardProgram program_;
    std::string log_, instead_;
};

class GpuBackend final : public measure::Backend {
public:
    GpuBackend(std::shared_ptr<const gpu::Driver> driver, gpu::Card card)
        : driver_(std::move(driver)), card_(std::move(card)) {}

    measure::BackendInfo info() const override {
        return {"cuda" + std::to_string(card_.index), card_.name, card_.architecture()};
    }

    Outcome<std::unique_ptr<measure::Prepared>> prepare(const BlockProgram& program,
                                                        const measure::PrepareOptions& options) override {
        const std::optional<gpu::Target> wanted = gpu::target_named(options.target);
        if (!options.target.empty() && !wanted)
            return Failure{FailureClass::Refused, "There is no target '" + options.target + "'.", {}};
        const Device device = description_for(builtin_devices(), {}, card_.name, card_.architecture());
        const LoopProgram loops = lower(program);
        gpu::KernelChoice choice{wanted, options.block_threads, options.stages, 0, &device};
        Result<gpu::CardKernels> kernels = generate(loops, options.elem, choice);
        if (!kernels) return Failure{FailureClass::Compile, sentences(kernels.problems()), {}};
        const Outcome<gpu::Compiled> compiled = compile(gpu::source(kernels->set));
        const std::optional<gpu::Target> other = wanted ? std::nullopt : gpu::instead_of(kernels->set.target);
        if (!compiled && other && *nvrtc_) {
            choice.target = other;
            Result<gpu::CardKernels> second = generate(loops, options.elem, choice);
            if (!second) return compiled.failure();
            gpu::CardKernels kept = std::move(second).value();
            const Outcome<gpu::Compiled> again = compile(gpu::source(kept.set));
            if (!again) return compiled.failure();
            kept.instead_of = "not " + to_string(kernels->set.target) + ": " + compiled.failure().message;
            return load(std::move(kept), *again, {});
        }
        if (!compiled) return compiled.failure();
        return load(std::move(kernels).value(), *compiled, other ? to_string(*other) : std::string());
    }

    // What is left of the program in the L2 cache goes.
    void flush_caches() override {
        if (!start()) return;
        if (!flush_) {
            auto memory = gpu::CardMemory::allocate(**session_, std::max(kLeastFlush, 4 * card_.l2_bytes));
            if (!memory) return;
            flush_ = std::make_unique<gpu::CardMemory>(std::move(memory).value());
        }
        flush_->fill(static_cast<unsigned char>(++flushes_));  // another value each time
        (**session_)->wait("caches were flushed");
    }

    Outcome<json::Value> calibrate(const measure::WorkProgress& progress) override {
        if (!start()) return session_->failure();
        const bool tensor_cores = card_.major >= 8;
        const Outcome<gpu::Compiled> compiled = compile(gpu::micro_source(tensor_cores));
        if (!compiled) return compiled.failure();
        Outcome<gpu::MicroKernels> kernels = gpu::MicroKernels::load(**session_, *compiled, tensor_cores);
        if (!kernels) return kernels.failure();
        const Device base = description_for(builtin_devices(), {}, card_.name, card_.architecture());
        const Outcome<Device> measured = measured_card(*kernels, card_, base, progress);
        if (!measured) return measured.failure();
        const Outcome<Device> fitted = fitted_to_card(*measured, *this, progress);
        if (!fitted) return fitted.failure();
        return json::parse(write_json(*fitted), fitted->name).value();
    }

private:
    Result<gpu::CardKernels> generate(const LoopProgram& loops, ElemType elem,
                                      const gpu::KernelChoice& choice) const {
        return gpu::kernels_for(loops, {card_.major, card_.minor}, elem, choice);
    }

    Outcome<gpu::Compiled> compile(const std::string& source) {
        if (!nvrtc_) nvrtc_ = std::make_unique<gpu::Nvrtc>(gpu::Nvrtc::open());
        if (!*nvrtc_)
            return Failure{FailureClass::Compile, "NVIDIA's run-time compiler is not there.",
                           nvrtc_->report()};
        Result<gpu::Compiled> compiled =
            gpu::CubinCache(gpu::cubin_folder()).compile(*nvrtc_, source, card_.architecture());
        if (compiled) return std::move(compiled).value();
        return Failure{FailureClass::Compile, "The kernels do not compile for " + card_.architecture() + ".",
                       sentences(compiled.problems())};
    }

    // The card's context, made for the first program.
    bool start() {
        if (!session_) session_ = gpu::CardSession::start(*driver_, card_);
        return static_cast<bool>(*session_);
    }

    Outcome<std::unique_ptr<measure::Prepared>> load(gpu::CardKernels kernels, const gpu::Compiled& compiled,
                                                     std::string instead) {
        if (!start()) return session_->failure();
        std::string how = "target " + to_string(kernels.set.target) + " for " + card_.architecture();
        if (!kernels.instead_of.empty()) how += " (" + kernels.instead_of + ")";
        const std::vector<std::string> notes = kernels.set.notes;
        Outcome<gpu::CardProgram> program =
            gpu::CardProgram::load(**session_, std::move(kernels.set), compiled);
        if (!program) return program.failure();
        std::string log = compile_report(compiled, *program, how);
        for (const std::string& note : notes) log += note + "\n";
        return std::unique_ptr<measure::Prepared>(
            std::make_unique<GpuPrepared>(std::move(program).value(), std::move(log), std::move(instead)));
    }

    std::shared_ptr<const gpu::Driver> driver_;
    gpu::Card card_;
    std::unique_ptr<gpu::Nvrtc> nvrtc_;
    std::optional<Outcome<std::shared_ptr<gpu::CardSession>>> session_;
    std::unique_ptr<gpu::CardMemory> flush_;
    unsigned flushes_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<measure::Backend>> gpu_backends() {
    const auto driver = std::make_shared<const gpu::Driver>(gpu::Driver::open());
    std::vector<std::unique_ptr<measure::Backend>> backends;
    for (const gpu::Card& card : driver->cards())
        backends.push_back(std::make_unique<GpuBackend>(driver, card));
    return backends;
}

}  // namespace blockscope::worker
