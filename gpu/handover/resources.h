// What is the same in all folders: files of resources/pytorch, compiled in. Names between @ are replaced.
#pragma once

namespace blockscope::gpu {

extern const char* const kBlocks;     // blocks.h
extern const char* const kOperators;  // operators.py
extern const char* const kModule;     // NAME.py
extern const char* const kCheck;      // check.py
extern const char* const kBench;      // bench.py
extern const char* const kReadme;     // README.md

}  // namespace blockscope::gpu
