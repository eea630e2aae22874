// compile_apart CARD FILE: compiles CUDA for a card. What the compiler says goes to the standard output; the
// exit status is 1 if it refuses.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "gpu/nvrtc/nvrtc.h"

int main(int count, char** words) {
    if (count != 3) return 2;
    std::ifstream in(words[2]);
    const std::string source(std::istreambuf_iterator<char>(in), {});
    const auto compiled = blockscope::gpu::Nvrtc::open().compile(source, words[1]);
    const std::string said = compiled ? compiled->log : compiled.problems().at(0).message.str();
    std::fwrite(said.data(), 1, said.size(), stdout);
    return compiled ? 0 : 1;
}
