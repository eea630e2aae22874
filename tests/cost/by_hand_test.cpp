// What states move and multiply, by formulas that are written here by hand from sizes and block sizes: no
// listing, no loop and no count of the product takes part.
//
// Notation of the comments: M is a size, m its block, nM the number of its blocks. Each row says which loops
// the algorithm has, and how often these read each array.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "core/fusion/trace.h"
#include "core/safety/safety.h"
#include "core/state/choose.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

// Sizes as they are written: "M=10/4 H=2".
class SizesByHand {
public:
    explicit SizesByHand(const std::string& text) {
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('='), slash = word.find('/');
            const std::int64_t block = slash == std::string::npos ? 1 : std::stoll(word.substr(slash + 1));
            all_[word.substr(0, equals)] = {std::stoll(word.substr(equals + 1)), block};
        }
    }
    std::int64_t operator[](const std::string& name) const { return all_.at(name).first; }
    std::int64_t block(const std::string& name) const { return all_.at(name).second; }
    std::int64_t n(const std::string& name) const { return (all_.at(name).first - 1) / block(name) + 1; }
    bool has(const std::string& name) const { return all_.count(name) > 0; }

private:
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> all_;
};

// In values and multiply-adds; in bytes and operations once the case has multiplied.
struct Hand {
    std::int64_t inputs = 0;         // loaded
    std::int64_t outputs = 0;        // stored
    std::int64_t intermediates = 0;  // stored and loaded
    std::int64_t products = 0;       // multiply-adds
    std::int64_t compulsory = 0;     // inputs and outputs once
    bool operator==(const Hand&) const = default;
};

void PrintTo(const Hand& hand, std::ostream* stream) {
    *stream << "inputs " << hand.inputs << ", outputs " << hand.outputs << ", intermediates "
            << hand.intermediates << ", products " << hand.products << ", compulsory " << hand.compulsory;
}

using HandFormula = std::function<Hand(const SizesByHand&)>;

// A grid of tiles m x n of the result, each over all of K: a tile reads its rows of X and its columns of W
// whole. X (M·K) is read by each of nN columns of tiles, W (K·N) by each of nM rows of them.
HandFormula product(const std::string& M, const std::string& K, const std::string& N) {
    return [=](const SizesByHand& s) {
        return Hand{.inputs = s[M] * s[K] * s.n(N) + s[K] * s[N] * s.n(M),
                    .outputs = s[M] * s[N],
                    .intermediates = 0,
                    .products = s[M] * s[K] * s[N],
                    .compulsory = s[M] * s[K] + s[K] * s[N] + s[M] * s[N]};
    };
}

// Unfused, every product of two blocks is a tile of its own, M·N in each of nK slices, which another kernel
// adds up: each is stored and loaded once. `passes` elementwise kernels follow, with an array of M·N before
// each.
HandFormula unfused_product(const std::string& M, const std::string& K, const std::string& N, int passes) {
    return [=](const SizesByHand& s) {
        Hand hand = product(M, K, N)(s);
        hand.intermediates = 2 * s[M] * s[N] * (s.n(K) + passes);
        return hand;
    };
}

// Multiplies the sizes of batches that are there.
std::int64_t batches(const SizesByHand& s, const std::vector<std::string>& names) {
    std::int64_t count = 1;
    for (const std::string& name : names)
        if (s.has(name)) count *= s[name];
    return count;
}

// Pairs of a block of queries and a block of keys between which something is seen. The last query sees all
// keys: query q stands at p = q + N - M and sees the keys p - window < k <= p. A query before the first key
// sees none, and its softmax is of all of them, masked: blocks with such a query are read whole. Over these
// pairs the sums of keys, and of queries times keys.
struct Seen {
    std::int64_t keys = 0, pairs = 0;
};

Seen seen_by_hand(const SizesByHand& s, bool causal, std::int64_t window) {
    Seen seen;
    for (std::int64_t q = 0; q < s["M"]; q += s.block("M"))
        for (std::int64_t k = 0; k < s["N"]; k += s.block("N")) {
            const std::int64_t rows = std::min(s.block("M"), s["M"] - q);
            const std::int64_t keys = std::min(s.block("N"), s["N"] - k);
            const std::int64_t first = q + s["N"] - s["M"], last = first + rows - 1;
            const bool above = first >= 0 && k > last;
            const bool behind = first >= 0 && window > 0 && k + keys - 1 <= first - window;
            if (causal && (above || behind)) continue;
            seen.keys += keys;
            seen.pairs += rows * keys;
        }
    return seen;
}

struct AttentionByHand {
    bool causal = false;
    std::int64_t window = 0;
    bool bias = false;
    bool listed = false;  // as the paper lists it: Q in the loop over keys, too, hidden blocks as well
};

// One task for each head and block of m queries: it loads its queries once (m·D), runs over the keys that it
// sees and loads K (n·D) and V (n·L) of each, and stores m·L results. A bias is read once for each pair that
// is seen. Heads of a group read the same K and V, each for itself; these have to move once for all of them.
HandFormula attention(const AttentionByHand& how = {}) {
    return [=](const SizesByHand& s) {
        const std::int64_t readers = batches(s, {"B", "Hkv", "H"});
        const std::int64_t heads = readers * batches(s, {"G"});
        const Seen seen = seen_by_hand(s, how.causal && !how.listed, how.window);
        const std::int64_t queries = s["M"] * s["D"] * (how.listed ? s.n("N") : 1);
        const std::int64_t bias = how.bias ? s["M"] * s["N"] : 0;
        return Hand{.inputs = heads * (queries + seen.keys * (s["D"] + s["L"]) + bias),
                    .outputs = heads * s["M"] * s["L"],
                    .intermediates = 0,
                    .products = heads * seen.pairs * (s["D"] + s["L"]),
                    .compulsory = heads * s["M"] * (s["D"] + s["L"]) + readers * s["N"] * (s["D"] + s["L"]) +
                                  heads * bias};
    };
}

// exp; its sums over each block; their sum; its reciprocal; the quotient. Exponentials (M·N) are stored and
// loaded by two, sums of blocks (M·nN), sums (M) and reciprocals (M) by one.
Hand softmax_unfused(const SizesByHand& s) {
    const std::int64_t all = s["M"] * s["N"];
    return {.inputs = all,
            .outputs = all,
            .intermediates = all + 2 * all + 2 * s["M"] * s.n("N") + 2 * s["M"] + 2 * s["M"],
            .products = 0,
            .compulsory = 2 * all};
}

// A row cannot be stored before its sum is known: exponentials are kept in memory, stored and loaded once.
Hand softmax_fused(const SizesByHand& s) {
    const std::int64_t all = s["M"] * s["N"];
    return {.inputs = all, .outputs = all, .intermediates = 2 * all, .products = 0, .compulsory = 2 * all};
}

// Two passes over X, for mean and deviation, and to scale; g and b (D each) are read for each block of rows.
Hand layernorm_fused(const SizesByHand& s) {
    const std::int64_t all = s["M"] * s["D"];
    return {.inputs = 2 * all + 2 * s["D"] * s.n("M"),
            .outputs = all,
            .intermediates = 0,
            .products = 0,
            .compulsory = 2 * all + 2 * s["D"]};
}

// A norm before a product scales the rows of the result: the product's own loops, one pass over X and W.
// `weights` arrays of D stand beside the columns of X, and each tile of the result reads them once.
HandFormula norm_product(const std::string& M, const std::string& D, const std::string& N, int weights) {
    return [=](const SizesByHand& s) {
        Hand hand = product(M, D, N)(s);
        hand.inputs += weights * s[D] * s.n(M) * s.n(N);
        hand.compulsory += weights * s[D];
        return hand;
    };
}

// A tile m x n of the result reads its rows of X twice: for X·W and, with all of A (D·R), for X·A, which it
// computes for itself; then its columns of B. Products: M·D·N, M·D·R for each of nN tiles, M·R·N.
Hand lora_fused(const SizesByHand& s) {
    const std::int64_t M = s["M"], D = s["D"], R = s["R"], N = s["N"];
    return {
        .inputs = 2 * M * D * s.n("N") + D * N * s.n("M") + D * R * s.n("M") * s.n("N") + R * N * s.n("M"),
        .outputs = M * N,
        .intermediates = 0,
        .products = M * D * N + M * D * R * s.n("N") + M * R * N,
        .compulsory = M * D + D * N + D * R + R * N + M * N};
}

// Two products with something between them, in one kernel: a tile m x n of the result runs over the nF parts
// of the hidden dimension and computes each of them anew, with all of its rows of X (m·D) and `gates` weights
// (D·f each), then reads f·n of the second weight. So X (M·D) is read nF·nN times, the first weights (D·F)
// nM·nN times, the second (F·N) nM times; `biases`: one of F and one of N, for each part and each tile.
HandFormula hidden(const std::string& D, const std::string& F, const std::string& N, int gates, bool biases) {
    return [=](const SizesByHand& s) {
        const std::int64_t M = s["M"], tiles = s.n("M") * s.n(N);
        Hand hand{.inputs = M * s[D] * s.n(F) * s.n(N) + gates * s[D] * s[F] * tiles + s[F] * s[N] * s.n("M"),
                  .outputs = M * s[N],
                  .intermediates = 0,
                  .products = gates * M * s[D] * s[F] * s.n(N) + M * s[F] * s[N],
                  .compulsory = M * s[D] + gates * s[D] * s[F] + s[F] * s[N] + M * s[N]};
        if (biases) {
            hand.inputs += s[F] * tiles + s[N] * s.n("M");
            hand.compulsory += s[F] + s[N];
        }
        return hand;
    };
}

// E = (A·B)·D with K and H in one block: a block of rows reads A once, runs over N, and reads B and D of each
// part.
Hand chain(const SizesByHand& s) {
    const std::int64_t M = s["M"], N = s["N"], K = s["K"], H = s["H"], chains = s["Chains"];
    return {.inputs = chains * (M * K + N * (K + H) * s.n("M")),
            .outputs = chains * M * H,
            .intermediates = 0,
            .products = chains * M * N * (K + H),
            .compulsory = chains * (M * K + K * N + N * H + M * H)};
}

enum class HandForm : std::uint8_t { Plain, Safe, Paper };

struct HandCase {
    std::string sample, sizes, state;
    int bytes;  // of an element, all alike
    HandForm form;
    bool processor;  // which keeps all in float32
    HandFormula formula;
};

std::string name_by_hand(const HandCase& c) {
    static const char* const kForms[] = {"plain", "safe", "paper"};
    std::string sizes = c.sizes;
    for (char& letter : sizes)
        if (letter == '=' || letter == '/') letter = ' ';
    return test_name(c.sample + " " + c.state + " " + kForms[static_cast<int>(c.form)] +
                     (c.processor ? " processor " : " card ") + sizes);
}

void PrintTo(const HandCase& c, std::ostream* stream) {
    *stream << name_by_hand(c);
}

const char* const kAttentionSizes = "M=10/4 N=7/3 D=5/5 L=6/6";

// clang-format off
const HandCase kByHand[] = {
    {"matmul", "A=10/4 B=7/3 C=9/4", "last", 2, HandForm::Plain, false, product("A", "B", "C")},
    {"matmul", "A=10/4 B=7/3 C=9/4", "step 0", 2, HandForm::Plain, false, unfused_product("A", "B", "C", 0)},
    {"matmul", "A=10/4 B=7/3 C=9/4", "last", 4, HandForm::Plain, true, product("A", "B", "C")},
    {"matmul", "A=4096/128 B=4096/64 C=4096/256", "last", 2, HandForm::Plain, false, product("A", "B", "C")},
    {"gemm-relu", "M=8/4 K=9/3 N=11/5", "last", 2, HandForm::Plain, false, product("M", "K", "N")},
    {"gemm-relu", "M=8/4 K=9/3 N=11/5", "step 0", 2, HandForm::Plain, false, unfused_product("M", "K", "N", 1)},
    {"attention", kAttentionSizes, "last", 2, HandForm::Plain, false, attention()},
    {"attention", kAttentionSizes, "last", 2, HandForm::Safe, false, attention()},
    {"attention", kAttentionSizes, "last", 2, HandForm::Paper, false, attention({.listed = true})},
    {"attention", kAttentionSizes, "last", 4, HandForm::Plain, true, attention()},
    {"attention", "M=4096/128 N=4096/64 D=128/128 L=128/128", "last", 2, HandForm::Safe, false, attention()},
    {"multihead-attention", "B=2 H=3 M=5/2 N=7/3 D=4/4 L=3/3", "last", 2, HandForm::Safe, false, attention()},
    {"gqa", "B=2 Hkv=2 G=3 M=5/2 N=7/3 D=4/4 L=3/3", "last", 2, HandForm::Plain, false, attention()},
    {"biased-attention", "H=2 M=6/4 N=9/2 D=3/3 L=4/4", "last", 2, HandForm::Safe, false,
     attention({.bias = true})},
    {"causal-attention", "H=2 M=10/4 N=10/3 D=5/5 L=6/6", "last", 2, HandForm::Plain, false,
     attention({.causal = true})},
    {"causal-attention", "H=2 M=7/3 N=13/4 D=5/5 L=6/6", "last", 4, HandForm::Safe, true,
     attention({.causal = true})},
    {"causal-attention", "H=2 M=13/4 N=7/3 D=5/5 L=6/6", "last", 2, HandForm::Safe, false,
     attention({.causal = true})},
    {"causal-attention", "H=32 M=4096/128 N=4096/128 D=128/128 L=128/128", "last", 2, HandForm::Plain, false,
     attention({.causal = true})},
    {"causal-attention", "H=2 M=10/4 N=10/3 D=5/5 L=6/6", "last", 2, HandForm::Paper, false,
     attention({.causal = true, .listed = true})},
    {"sliding-window-attention", "H=2 M=16384/128 N=16384/96 D=8/8 L=4/4", "last", 2, HandForm::Safe, false,
     attention({.causal = true, .window = 4096})},
    {"softmax", "M=7/3 N=11/4", "step 0", 4, HandForm::Plain, false, softmax_unfused},
    {"softmax", "M=7/3 N=11/4", "last", 4, HandForm::Plain, false, softmax_fused},
    {"layernorm", "M=7/3 D=11/4", "last", 4, HandForm::Plain, false, layernorm_fused},
    {"layernorm-matmul", "M=7/3 K=10/4 N=9/4", "last", 2, HandForm::Plain, false, norm_product("M", "K", "N", 0)},
    {"rmsnorm-matmul", "M=7/3 D=10/4 N=9/4", "last", 2, HandForm::Plain, false, norm_product("M", "D", "N", 1)},
    {"lora", "M=7/3 D=10/4 R=2/2 N=9/4", "last", 2, HandForm::Plain, false, lora_fused},
    {"gated-mlp", "M=5/2 D=7/3 F=10/4", "last", 2, HandForm::Plain, false, hidden("D", "F", "D", 2, false)},
    {"rmsnorm-swiglu", "M=5/2 D=7/3 K=6/4 N=8/3", "last", 2, HandForm::Plain, false,
     hidden("D", "K", "N", 2, false)},
    {"bias-gelu-mlp", "M=5/2 D=7/3 F=10/4", "last", 4, HandForm::Plain, true, hidden("D", "F", "D", 1, true)},
    {"mcfuser-g1", "Chains=2 M=7/3 N=10/4 K=4/4 H=5/5", "last", 2, HandForm::Plain, false, chain},
};
// clang-format on

static_assert(std::size(kByHand) >= 25);

State state_by_hand(const HandCase& c) {
    BlockProgram program = *block_sample(c.sample);
    const SizesByHand sizes(c.sizes);
    for (Dim& dim : program.dims) {
        dim.size = sizes[dim.name];
        dim.block = sizes.block(dim.name);
    }
    const Trace trace = fuse(std::make_shared<const BlockProgram>(program));
    const StateChoice choice = *parse_state_choice(c.state);
    Form form = safe_form(c.form == HandForm::Safe);
    if (c.form == HandForm::Paper) form = form.as_in_paper();
    if (c.processor) form = form.kept_in(ElemType::F32);
    return State(choice.number ? trace.state(*choice.number) : trace.last(), form);
}

class ByHand : public testing::TestWithParam<HandCase> {};

TEST_P(ByHand, IsWhatTheStateMovesAndMultiplies) {
    const HandCase& c = GetParam();
    const Hand values = c.formula(SizesByHand(c.sizes));
    const Hand expected{.inputs = c.bytes * values.inputs,
                        .outputs = c.bytes * values.outputs,
                        .intermediates = c.bytes * values.intermediates,
                        .products = 2 * values.products,
                        .compulsory = c.bytes * values.compulsory};
    const State state = state_by_hand(c);
    const Counts& counts = state.counts();
    const Hand counted{.inputs = counts.inputs.bytes,
                       .outputs = counts.outputs.bytes,
                       .intermediates = counts.intermediates.bytes,
                       .products = counts.flops.matrix,
                       .compulsory = counts.compulsory};
    EXPECT_EQ(counted, expected) << listing(state);
}

INSTANTIATE_TEST_SUITE_P(Table, ByHand, testing::ValuesIn(kByHand),
                         [](const auto& row) { return name_by_hand(row.param); });

}  // namespace
}  // namespace blockscope::test
