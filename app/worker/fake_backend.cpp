#include "app/worker/backends.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/json/device_files.h"
#include "core/state/state.h"

namespace blockscope::worker {
namespace {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;
using measure::PrepareOptions;

// What the spec says.
class Faults {
public:
    Faults(const std::string& spec, int out) : out_(out) {
        std::istringstream words(spec);
        for (std::string word; std::getline(words, word, ',');) words_.push_back(word);
    }

    // Does what is to happen now; a failure is to be reported.
    std::optional<Failure> at(const std::string& when) const {
        for (const std::string& word : words_) {
            const std::size_t at = word.find('@');
            if (at == std::string::npos || word.substr(at + 1) != when || !now()) continue;
            if (auto failure = happen(word.substr(0, at))) return failure;
        }
        return std::nullopt;
    }
    bool has(const std::string& word) const {
        for (const std::string& each : words_)
            if (each == word) return true;
        return false;
    }
    std::string option(const std::string& name) const {
        for (const std::string& each : words_)
            if (each.compare(0, name.size() + 1, name + "=") == 0) return each.substr(name.size() + 1);
        return {};
    }

private:
    bool now() const {
        const std::string file = option("once");
        return file.empty() || unlink(file.c_str()) == 0;
    }
    void say(const std::string& text) const {
        // Nothing can be done about a failing write here.
        [[maybe_unused]] const auto written = write(out_, text.data(), text.size());
    }

    std::optional<Failure> happen(const std::string& fault) const {
        if (fault == "crash") std::raise(SIGKILL);
        if (fault == "exit") _exit(3);
        if (fault == "hang")
            for (;;) pause();
        if (fault == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(300));
        if (fault == "garbage") say("Segmentation fault (not really)\n");
        if (fault == "partial") {
            say("{\"id\": 1, \"type\": \"meas");
            _exit(0);
        }
        if (fault == "compile")
            return Failure{FailureClass::Compile, Text("The program does not compile."), "line 1: no"};
        if (fault == "launch")
            return Failure{FailureClass::Launch, Text("The program cannot be launched."), {}};
        if (fault == "illegal")
            return Failure{
                FailureClass::IllegalAddress, Text("The program touched memory that is not its own."), {}};
        if (fault == "oom")
            return Failure{FailureClass::OutOfMemory, Text("The device has not enough memory."), {}};
        return std::nullopt;
    }

    std::vector<std::string> words_;
    int out_;
};

// 10 GB/s, 100 GFLOP/s, 1 microsecond a launch.
double modelled_seconds(const BlockProgram& program) {
    const State state(program);
    const Counts& counts = state.counts();
    return static_cast<double>(counts.bytes()) / 1e10 + static_cast<double>(counts.flops.total()) / 1e11 +
           1e-6 * static_cast<double>(counts.launches);
}

class FakePrepared final : public measure::Prepared {
public:
    FakePrepared(const BlockProgram& program, const Faults& faults)
        : program_(program), faults_(faults), seconds_(modelled_seconds(program)) {}

    std::string log() const override { return "a fake device with times from counts"; }
    std::optional<Failure> set_inputs(const Tensors<double>& inputs) override {
        inputs_ = inputs;
        outputs_.clear();
        return std::nullopt;
    }
    std::optional<Failure> poison() override { return std::nullopt; }

    Outcome<double> run() override {
        if (auto failure = faults_.at(++runs_ <= 2 ? "check" : "measure")) return *failure;
        if (outputs_.empty()) outputs_ = evaluate(program_, inputs_);
        const std::string milliseconds = faults_.option("run");
        if (!milliseconds.empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(milliseconds.c_str())));
        // Up to 2% more or less, in a fixed order.
        return seconds_ * (1 + 0.01 * static_cast<double>(runs_ * 7 % 5 - 2));
    }

    Outcome<Tensors<double>> outputs() override {
        Tensors<double> result = outputs_;
        double& victim = result.begin()->second.data.back();
        if (faults_.has("wrong@check")) victim = victim * 1.01 + 1;
        if (faults_.has("nan@check")) victim = NAN;
        return result;
    }

private:
    BlockProgram program_;
    const Faults& faults_;
    double seconds_;
    int runs_ = 0;
    Tensors<double> inputs_;
    Tensors<double> outputs_;
};

class FakeBackend final : public measure::Backend {
public:
    FakeBackend(const std::string& spec, int out) : faults_(spec, out) {}
    measure::BackendInfo info() const override { return {"fake", "a device for tests"}; }

    Outcome<std::unique_ptr<measure::Prepared>> prepare(const BlockProgram& program,
                                                        const PrepareOptions&) override {
        if (auto failure = faults_.at("prepare")) return *failure;
        return std::unique_ptr<measure::Prepared>(std::make_unique<FakePrepared>(program, faults_));
    }
    std::optional<Failure> flush_caches() override { return faults_.at("flush"); }
    // A look takes half a second of a clock of its own.
    std::optional<measure::CpuTimes> cpu_times() override {
        const std::string others = faults_.option("others");
        if (others.empty()) return std::nullopt;
        const std::string looks = faults_.option("calm-after");
        const bool calm = !looks.empty() && looks_ >= std::atoi(looks.c_str());
        ++looks_;
        times_.now += 0.5;
        times_.own += 0.5;
        times_.busy += 0.5 + (calm ? 0 : 0.5 * std::atof(others.c_str()));
        return times_;
    }
    Outcome<json::Value> calibrate(const measure::WorkProgress& progress) override {
        if (auto failure = faults_.at("calibrate")) return *failure;
        if (!progress("stream", 0, 1))
            return Failure{FailureClass::Cancelled, Text("The calibration was cancelled."), {}};
        // Somebody else's description.
        Device device = *find_device(builtin_devices(), "xeon-8480");
        device.name = kLocalCpu;
        if (faults_.has("odd@calibrate")) device.memory.front().bandwidth.value = 1;
        return json::parse(write_json(device), kLocalCpu).value();
    }

private:
    Faults faults_;
    measure::CpuTimes times_;
    int looks_ = 0;
};

}  // namespace

std::unique_ptr<measure::Backend> fake_backend(const std::string& spec, int out) {
    return std::make_unique<FakeBackend>(spec, out);
}

}  // namespace blockscope::worker
