// A worker process with a fake device, and a small program to give it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/worker/session.h"
#include "core/fusion/trace.h"
#include "tests/support/samples.h"

namespace blockscope::test {

class WorkerTest : public testing::Test {
protected:
    WorkerTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "blockscope-worker-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        setenv("BLOCKSCOPE_TEST_FOLDER", folder_.c_str(), 1);
        const char* path = std::getenv("PATH");
        path_ = path ? path : "";
        array_ = read_sample("attention");
        for (Dim& dim : array_.dims) dim = {dim.name, dim.name == "M" ? 32 : 16, 8, dim.kind};
        BlockProgram blocks = *block_sample("attention");
        blocks.dims = array_.dims;
        blocks_ = std::make_shared<const BlockProgram>(blocks);
    }
    ~WorkerTest() override {
        unsetenv("BLOCKSCOPE_FAKE_DEVICE");
        setenv("PATH", path_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }

    static std::vector<std::string> command() { return {BLOCKSCOPE_CLI, "worker"}; }
    // What the fake device of workers started from now on does (backends.h).
    static void use_faults(const std::string& spec) { setenv("BLOCKSCOPE_FAKE_DEVICE", spec.c_str(), 1); }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    // Puts a shell script with this body in front of PATH as `ssh`.
    void fake_ssh(const std::string& body) const {
        std::ofstream(file("ssh")) << "#!/bin/sh\n" << body << "\n";
        chmod(file("ssh").c_str(), 0755);
        setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
    }

    measure::PrepareRequest prepare_request() const { return {"fake", blocks_, array_, {}, 1}; }
    static measure::SamplingPlan quick() { return {1, 0, 25, 0, 20}; }
    worker::Task task() const {
        worker::Task task;
        task.program = "attention";
        task.state = "step 0";
        task.initial = task.blocks = blocks_;
        task.array = array_;
        task.device = "fake";
        task.plan = quick();
        return task;
    }
    ProgramPtr fused() const { return fuse(blocks_).last(); }

private:
    std::filesystem::path folder_;
    std::string path_;
    ArrayProgram array_;
    ProgramPtr blocks_;
};

}  // namespace blockscope::test
