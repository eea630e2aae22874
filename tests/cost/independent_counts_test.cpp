// What states move and compute, counted a second time: by walking through the text of their listings.
//
// The first row is the product of samples/matmul.bp at 10 x 7 x 9, unfused. Its listing is read line by line
// (the grammar of docs/listing.md), its loops run over their blocks, and every load, store and dot is added
// up as it happens. Nothing of core/cost takes part: no terms, extents or counts. Element types are written
// down here.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <tuple>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/choose.h"
#include "tests/support/listing_check.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

enum class Taken : std::uint8_t { Plain, Safe, Paper, SafePaper };
enum class On : std::uint8_t { Card, Processor };  // arrays in the types declared, or all in float32

using ElementBytes = std::map<std::string, int>;

struct CountedCase {
    std::string sample;
    std::string sizes;  // every dimension as size/block, batches as size
    std::string state;  // as users name it
    Taken form;
    On device;
    int bytes;                 // of an element on the card
    ElementBytes others = {};  // of arrays in other types
    int window = 0;            // instead of the sample's
};

std::string name_of(Taken form) {
    static const std::map<Taken, std::string> kNames = {{Taken::Plain, "plain"},
                                                        {Taken::Safe, "safe"},
                                                        {Taken::Paper, "paper"},
                                                        {Taken::SafePaper, "safe paper"}};
    return kNames.at(form);
}

std::string name_of(const CountedCase& c) {
    return test_name(c.sample + " " + c.state + " " + name_of(c.form) + " " +
                     (c.device == On::Card ? "card" : "processor"));
}

void PrintTo(const CountedCase& c, std::ostream* stream) {
    *stream << name_of(c) << " at " << c.sizes;
}

// Bytes between global and local memory, operations of products, bytes that have to move in any schedule.
struct Tally {
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    std::int64_t intermediates = 0;
    std::int64_t matrix = 0;
    std::int64_t compulsory = 0;
    bool operator==(const Tally&) const = default;
};

void PrintTo(const Tally& tally, std::ostream* stream) {
    *stream << "inputs " << tally.inputs << ", outputs " << tally.outputs << ", intermediates "
            << tally.intermediates << ", products " << tally.matrix << ", compulsory " << tally.compulsory;
}

// "M=10/4 H=2": 10 elements in blocks of 4, and a batch of 2. Every dimension is named.
DimTable dims_of(DimTable dims, const std::string& sizes) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> given;
    std::istringstream words(sizes);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        const std::size_t slash = word.find('/');
        const std::int64_t block = slash == std::string::npos ? 1 : std::stoll(word.substr(slash + 1));
        given[word.substr(0, equals)] = {std::stoll(word.substr(equals + 1)), block};
    }
    for (Dim& dim : dims) std::tie(dim.size, dim.block) = given.at(dim.name);
    return dims;
}

// The sample with a smaller window, of the size of the case.
BlockProgram windowed(const CountedCase& c) {
    std::string text = sample_text(c.sample);
    const std::string window = "window=4096";
    text.replace(text.find(window), window.size(), "window=" + std::to_string(c.window));
    return to_block_program(*parse_program(text, c.sample)).program;
}

ProgramPtr counted_program(const CountedCase& c) {
    BlockProgram program = c.window > 0 ? windowed(c) : *block_sample(c.sample);
    program.dims = dims_of(program.dims, c.sizes);
    const Trace trace = fuse(std::make_shared<const BlockProgram>(program));
    const StateChoice choice = *parse_state_choice(c.state);
    if (choice.kind == StateChoice::Kind::Snapshot)
        return trace.state(trace.snapshots.at(static_cast<std::size_t>(*choice.number) - 1));
    return choice.number ? trace.state(*choice.number) : trace.last();
}

Form counted_form(const CountedCase& c) {
    const bool safe = c.form == Taken::Safe || c.form == Taken::SafePaper;
    const bool paper = c.form == Taken::Paper || c.form == Taken::SafePaper;
    const Form form = paper ? safe_form(safe).as_in_paper() : safe_form(safe);
    return c.device == On::Processor ? form.kept_in(ElemType::F32) : form;
}

// The arrays of one program, and what their elements take.
class Arrays {
public:
    Arrays(const BlockProgram& program, const CountedCase& c)
        : signature_(reader::signature_of(program)), case_(c) {
        for (const NodePtr& node : program.graph->nodes())
            if (const Input* input = node->as<Input>(); input && input->source == InputSource::CausalMask)
                masks_.insert(input->name);
    }

    const reader::Signature& signature() const { return signature_; }
    bool is_output(const std::string& name) const { return signature_.outputs.count(name) > 0; }
    bool is_mask(const std::string& name) const { return masks_.count(declared(name)) > 0; }
    bool is_input(const std::string& name) const { return signature_.inputs.count(declared(name)) > 0; }
    std::int64_t bytes(const std::string& name) const {
        if (case_.device == On::Processor) return 4;
        const auto other = case_.others.find(declared(name));
        return other == case_.others.end() ? case_.bytes : other->second;
    }

private:
    // VT is V.
    std::string declared(const std::string& name) const {
        const std::string base = name.substr(0, name.size() - 1);
        const bool listed = signature_.inputs.count(name) > 0;
        return !listed && name.back() == 'T' && signature_.inputs.count(base) > 0 ? base : name;
    }

    reader::Signature signature_;
    const CountedCase& case_;
    std::set<std::string> masks_;
};

Tally by_walking(const BlockProgram& program, const State& state, const CountedCase& c) {
    const Arrays arrays(program, c);
    reader::Work work;
    reader::run_listing(listing(state), arrays.signature(),
                        reader::with_masks(program, random_doubles(program, 5)), reader::ForallOrder::Forward,
                        &work);
    Tally tally;
    for (const auto& [name, moved] : work.arrays) {
        if (arrays.is_mask(name)) continue;  // generated where it is used
        std::int64_t& kind = arrays.is_output(name)  ? tally.outputs
                             : arrays.is_input(name) ? tally.inputs
                                                     : tally.intermediates;
        kind += (moved.loaded_values + moved.stored_values) * arrays.bytes(name);
    }
    for (const auto& [name, elements] : work.touched)
        if (!arrays.is_mask(name) && (arrays.is_input(name) || arrays.is_output(name)))
            tally.compulsory += elements * arrays.bytes(name);
    tally.matrix = work.matrix;
    return tally;
}

Tally by_product(const Counts& counts) {
    return {.inputs = counts.inputs.bytes,
            .outputs = counts.outputs.bytes,
            .intermediates = counts.intermediates.bytes,
            .matrix = counts.flops.matrix,
            .compulsory = counts.compulsory};
}

const CountedCase kCases[] = {
    {"matmul", "A=10/4 B=7/3 C=9/4", "step 0", Taken::Plain, On::Card, 2},
    {"matmul", "A=10/4 B=7/3 C=9/4", "last", Taken::Paper, On::Processor, 2},
    {"gemm-relu", "M=8/4 K=9/3 N=11/5", "snapshot 1", Taken::Plain, On::Card, 2},
    {"attention", "M=10/4 N=7/3 D=5/5 L=6/6", "step 0", Taken::Plain, On::Card, 2},
    {"attention", "M=10/4 N=7/3 D=5/5 L=6/6", "last", Taken::Safe, On::Card, 2},
    {"attention", "M=10/4 N=7/3 D=5/5 L=6/6", "snapshot 1", Taken::Paper, On::Processor, 2},
    {"attention", "M=10/4 N=7/3 D=5/2 L=6/4", "step 9", Taken::SafePaper, On::Card, 2},
    {"causal-attention", "H=2 M=10/4 N=10/3 D=5/5 L=6/6", "last", Taken::Plain, On::Card, 2},
    {"causal-attention", "H=2 M=7/3 N=13/4 D=5/5 L=6/6", "last", Taken::Safe, On::Processor, 2},
    {"causal-attention", "H=1 M=13/4 N=7/3 D=4/2 L=6/4", "step 0", Taken::Plain, On::Card, 2},
    {"causal-attention", "H=2 M=13/4 N=10/3 D=5/5 L=6/6", "last", Taken::Safe, On::Card, 2},
    {"sliding-window-attention", "H=2 M=10/4 N=13/3 D=5/5 L=6/6", "last", Taken::Safe, On::Card, 2, {}, 5},
    {"multihead-attention", "B=2 H=3 M=5/2 N=7/3 D=4/4 L=3/3", "snapshot 1", Taken::Safe, On::Card, 2},
    {"biased-attention", "H=2 M=6/4 N=9/2 D=3/3 L=4/4", "last", Taken::Safe, On::Card, 2},
    {"gqa", "B=1 Hkv=2 G=3 M=5/2 N=7/3 D=4/4 L=3/3", "last", Taken::Plain, On::Processor, 2},
    {"fp8-attention", "M=10/4 N=7/3 D=5/5 L=6/6", "last", Taken::Plain, On::Card, 1, {{"I1", 4}}},
    {"softmax", "M=7/3 N=11/4", "step 0", Taken::Safe, On::Card, 4},
    {"layernorm", "M=7/3 D=11/4", "last", Taken::Plain, On::Card, 4},
    {"layernorm-matmul", "M=7/3 K=10/4 N=9/4", "snapshot 1", Taken::Plain, On::Card, 2},
    {"layernorm-affine-matmul", "M=7/3 D=10/4 N=9/4", "last", Taken::Plain, On::Processor, 2},
    {"rmsnorm-matmul", "M=7/3 D=10/4 N=9/4", "last", Taken::Paper, On::Card, 2},
    {"rmsnorm-swiglu", "M=5/2 D=7/3 K=6/4 N=8/3", "last", Taken::Plain, On::Card, 2},
    {"gated-mlp", "M=5/2 D=7/3 F=10/4", "step 3", Taken::Plain, On::Card, 2},
    {"bias-gelu-mlp", "M=5/2 D=7/3 F=10/4", "last", Taken::Safe, On::Card, 2},
    {"lora", "M=7/3 D=10/4 R=2/2 N=9/4", "last", Taken::Plain, On::Card, 2},
    {"mcfuser-g1", "Chains=2 M=7/3 N=10/4 K=4/4 H=5/2", "last", Taken::Plain, On::Processor, 2},
    {"decoder-block", "M=6/4 D=5/3 F=7/4 E=2/2 Hkv=2 G=2", "last", Taken::Safe, On::Card, 2},
};

static_assert(std::size(kCases) == 27);

class IndependentCounts : public testing::TestWithParam<CountedCase> {};

TEST_P(IndependentCounts, AreThoseOfTheState) {
    const ProgramPtr program = counted_program(GetParam());
    const State state(program, counted_form(GetParam()));
    EXPECT_EQ(by_product(state.counts()), by_walking(*program, state, GetParam())) << listing(state);
}

INSTANTIATE_TEST_SUITE_P(Table, IndependentCounts, testing::ValuesIn(kCases),
                         [](const auto& row) { return name_of(row.param); });

// The walk itself, by hand: of the first row. A block of X is loaded for each of 3 blocks of columns of W,
// one of W for each of 3 blocks of rows of X. Products of 3 blocks of columns of X are stored and loaded to
// be added up.
TEST(IndependentCount, OfAProductByHand) {
    const Tally expected = {.inputs = 2 * (3 * 10 * 7 + 3 * 7 * 9),
                            .outputs = 2 * 10 * 9,
                            .intermediates = 2 * (3 + 3) * 10 * 9,
                            .matrix = 2 * 10 * 7 * 9,
                            .compulsory = 2 * (10 * 7 + 7 * 9 + 10 * 9)};
    const ProgramPtr program = counted_program(kCases[0]);
    EXPECT_EQ(by_walking(*program, State(program), kCases[0]), expected);
}

}  // namespace
}  // namespace blockscope::test
