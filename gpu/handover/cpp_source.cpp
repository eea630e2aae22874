#include "gpu/handover/cpp_source.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/graph/expr.h"
#include "gpu/codegen/kernel_writer.h"
#include "gpu/codegen/kernels.h"
#include "gpu/codegen/values.h"
#include "gpu/handover/cpp_kernel.h"

namespace blockscope::gpu {

namespace {

constexpr int kLargestExpression = 20000;  // operators, shared parts counted each time

Problem refusal(const Generated& of, const Statement& at, const Text& why) {
    return {{.node = at.node.value},
            Text("no C++ for `%1` (%2): %3", comment(of.listing.at(&at)), to_string(at.node), why)};
}

// What nobody could write: operators from outside, values without a size.
Problems refusals(const Generated& of) {
    Problems problems;
    for_each_statement(of.program.body, [&](const Statement& at) {
        const auto* misc = std::get_if<CallMisc>(&at.what);
        if (misc && misc->name != "transpose")
            problems.push_back(refusal(
                of, at,
                Text("the operator is not one of Blockscope's, so that nobody knows what it computes")));
        const Temp made = uses_of(at).makes;
        if (made.id > 0 && !of.extents.of(made).known)
            problems.push_back(refusal(of, at, Text("nothing tells how large %1 is", named(made))));
        const auto* evaluate = std::get_if<Evaluate>(&at.what);
        if (evaluate && tree_size(*evaluate->expr, kLargestExpression) >= kLargestExpression)
            problems.push_back(
                refusal(of, at, Text("the expression has more than %1 operators", kLargestExpression)));
    });
    return problems;
}

// Temporaries that more than one kernel names.
std::set<int> exchanged(const std::vector<Kernel>& kernels) {
    std::map<int, int> users;
    for (const Kernel& kernel : kernels)
        for (const int id : temps_of(kernel).used) ++users[id];
    std::set<int> shared;
    for (const auto& [id, count] : users)
        if (count > 1) shared.insert(id);
    return shared;
}

// The whole file.
class CppText {
public:
    explicit CppText(const Generated& generated) : of_(generated) {}

    CppSource run() {
        const std::vector<Kernel> kernels = cut_into_kernels(of_.program);
        const std::set<int> shared = exchanged(kernels);
        std::string functions, calls;
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            CppKernel kernel(of_, kernels[i], of_.name + "_kernel_" + std::to_string(i + 1), shared);
            functions += kernel.text() + "\n";
            calls += "    " + kernel.call() + "\n";
            used_.insert(kernel.buffers().begin(), kernel.buffers().end());
        }
        CppSource made;
        made.text =
            "// Written by blockscope-cli codegen. Build: c++ -std=c++17 -O3 -march=native -fopenmp\n"
            "#include \"blocks.h\"\n\nnamespace blockscope {\nnamespace {\n\n";
        made.text += shared_struct(shared) + functions + "}  // namespace\n\n";
        made.text += entry(made, calls, !shared.empty()) + "\n}  // namespace blockscope\n";
        return made;
    }

private:
    std::string shared_struct(const std::set<int>& shared) const {
        if (shared.empty()) return "";
        std::string text = "// What kernels leave for others.\nstruct " + of_.shared_type() + " {\n";
        for (const int id : shared) text += "    " + of_.type_of({id}) + " " + named({id}) + ";\n";
        return text + "};\n\n";
    }

    // The function that all arrays are given to.
    std::string entry(CppSource& made, const std::string& calls, bool shared) const {
        std::string parameters, intermediates;
        std::set<std::string> known;
        for (const bool input : {true, false})
            for (std::size_t i = 0; i < of_.arrays.arrays.size(); ++i) {
                const DeviceArray& array = of_.arrays.arrays[i];
                if ((array.kind == DeviceArray::Kind::Input) != input) continue;
                if (array.elements == 0) continue;  // a mask
                const std::string name = of_.pointer(static_cast<int>(i));
                if (!known.insert(name).second) continue;  // read transposed, too
                if (array.kind == DeviceArray::Kind::Intermediate) {
                    intermediates += "    const std::unique_ptr<float[]> " + name + "_memory(new float[" +
                                     std::to_string(array.elements) + "LL]);\n    float* const " + name +
                                     " = " + name + "_memory.get();\n";
                    continue;
                }
                const bool unused = !is_used(name);
                parameters += std::string(unused ? "[[maybe_unused]] " : "") + (input ? "const " : "") +
                              c_type(array.elem) + "* " + name + ", ";
                (input ? made.inputs : made.outputs).push_back({array.name, array.elem, array.shape});
            }
        const std::string memory = shared ? "    const std::unique_ptr<" + of_.shared_type() +
                                                "> memory(new " + of_.shared_type() + ");\n    " +
                                                of_.shared_type() + "& shared = *memory;\n"
                                          : "";
        return "extern \"C\" void " + of_.name + "_cpu(" + parameters +
               "int threads) {\n    use_threads(threads);\n" + intermediates + memory + calls + "}\n";
    }

    bool is_used(const std::string& pointer) const {
        return std::any_of(used_.begin(), used_.end(),
                           [&](int buffer) { return of_.pointer(buffer) == pointer; });
    }

    const Generated& of_;
    std::set<int> used_;  // buffers
};

}  // namespace

Result<CppSource> cpp_source(const LoopProgram& program, const std::string& name) {
    const Generated generated(program, name);
    if (Problems problems = refusals(generated); !problems.empty()) return problems;
    return CppText(generated).run();
}

}  // namespace blockscope::gpu
