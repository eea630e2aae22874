#include "app/glossary/term_pictures.h"

#include <algorithm>
#include <functional>

#include "app/files/svg.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

const char* const kRowSum = "dim M = 8 / 4\ndim N = 6 / 3\ninput X[M, N]\noutput S = row_sum(exp(X))\n";
const char* const kProduct =
    "dim M = 8 / 4\ndim K = 8 / 4\ndim N = 8 / 4\ninput X[M, K], W[K, N]\noutput Y = X @ W\n";
const char* const kRelu =
    "dim M = 8 / 4\ndim K = 8 / 4\ndim N = 8 / 4\ninput X[M, K], W[K, N]\noutput Y = relu(X @ W)\n";
const char* const kSoftmax = "dim M = 8 / 4\ndim N = 8 / 4\ninput X[M, N]\noutput Y = softmax(X)\n";
const char* const kAttention =
    "dim M = 8 / 4\ndim N = 8 / 4\ndim D = 4 / 4\ndim L = 4 / 4\ninput Q[M, D], K[N, D], V[N, L]\n"
    "S = Q @ K.T\nP = softmax(S)\noutput O = P @ V\n";

struct PictureRow {
    const char* name;
    std::function<void(TermSketch&)> draw;
};

PictureRow sign_row(const char* name, Sign sign) {
    return {name, [sign](TermSketch& sketch) { sketch.sign(sign); }};
}
PictureRow memory_row(const char* name, const char* lit) {
    return {name, [lit](TermSketch& sketch) { sketch.memory(lit); }};
}
PictureRow grid_row(const char* name, const char* lit) {
    return {name, [lit](TermSketch& sketch) { sketch.grid(lit); }};
}
PictureRow cells_row(const char* name, const char* lit) {
    return {name, [lit](TermSketch& sketch) { sketch.cells(lit); }};
}
PictureRow curve_row(const char* name, const char* kind) {
    return {name, [kind](TermSketch& sketch) { sketch.curve(kind); }};
}
PictureRow code_row(const char* name, std::vector<const char*> lines, int lit = -1) {
    return {name, [lines = std::move(lines), lit](TermSketch& sketch) { sketch.code(lines, lit); }};
}
PictureRow flow_row(const char* name, std::vector<const char*> parts, int lit = -1) {
    return {name, [parts = std::move(parts), lit](TermSketch& sketch) { sketch.flow(parts, lit); }};
}
PictureRow lanes_row(const char* name, std::vector<TermSketch::Lane> lanes) {
    return {name, [lanes = std::move(lanes)](TermSketch& sketch) { sketch.lanes(lanes); }};
}
PictureRow rule_row(const char* name, RuleId id) {
    return {name, [id](TermSketch& sketch) { sketch.rule(id); }};
}

std::vector<PictureRow> signs() {
    return {
        sign_row("buffered-edge", Sign::Buffered),
        sign_row("unbuffered-edge", Sign::Unbuffered),
        sign_row("map", Sign::Frame),
        sign_row("fold", Sign::Cloud),
        sign_row("functional", Sign::Functional),
        sign_row("elementwise", Sign::Elementwise),
        sign_row("reduction", Sign::Reduction),
        sign_row("miscellaneous", Sign::Misc),
        sign_row("iterated", Sign::Iterated),
        sign_row("broadcast", Sign::Broadcast),
        sign_row("continued", Sign::Continued),
        sign_row("collected", Sign::Collected),
        sign_row("reduced", Sign::Sum),
        sign_row("carried", Sign::Carried),
        sign_row("match", Sign::Match),
        sign_row("culprit", Sign::Culprit),
        sign_row("heat-map", Sign::Heat),
    };
}

std::vector<PictureRow> programs() {
    return {
        {"block-program", [](TermSketch& sketch) { sketch.blocks(kRowSum, 0); }},
        {"top-level", [](TermSketch& sketch) { sketch.blocks(kRelu, 0); }},
        {"mega-kernel", [](TermSketch& sketch) { sketch.blocks(kRelu, -1); }},
        {"flash-attention", [](TermSketch& sketch) { sketch.blocks(kAttention, -1); }},
        {"array-program", [](TermSketch& sketch) { sketch.arrays(kAttention); }},
        {"circuit", [](TermSketch& sketch) { sketch.circuit(kSoftmax); }},
        {"contraction", [](TermSketch& sketch) { sketch.circuit(kProduct); }},
        rule_row("fusion", {1, 0}),
        rule_row("extend", {6, 'a'}),
        rule_row("variant", {6, 'b'}),
        rule_row("peeling", {7, 'a'}),
    };
}

std::vector<PictureRow> listings() {
    return {
        code_row("accumulator", {"for n in range(N):", "  t1 = load(X[m,n])", "  t2 += row_sum(t1)"}, 2),
        code_row("parallel-loop", {"forall m in range(M):", "  for n in range(N):", "    t1 = load(X[m,n])"},
                 0),
        code_row("serial-loop", {"forall m in range(M):", "  for n in range(N):", "    t1 += row_sum(t2)"},
                 1),
        code_row("listing",
                 {"forall m in range(M):", "  t1 = load(X[m])", "  t2 = exp(t1)", "  store(t2,Y[m])"}),
        code_row("temporary", {"t1 = load(X[m])", "t2 = exp(t1)", "store(t2,Y[m])"}, 1),
        code_row("hoisted",
                 {"t1 = load(Q[m])", "for n in range(N):", "  t2 = load(K[n])", "  t3 = dot(t1,t2)"}, 0),
        code_row("online-softmax",
                 {"m' = max(m, row_max(s))", "l' = l*exp(m-m') + row_sum(p)", "acc' = acc*exp(m-m') + p@v"}),
        code_row("safe-form", {"exp(900) = inf", "exp(900-900) = 1"}, 1),
        code_row("significand", {"x = s * e^t", "s = 0.37   t = 900"}, 1),
        code_row("type", {"(M,N) block[M,N] bf16"}, 0),
        code_row("path", {"/n1/n3", "forall M", "  forall N"}, 0),
        code_row("formula", {"4*M + 4*M*N = 224", "with M = 8, N = 6"}, 0),
        code_row("divisor", {"128 = 8 * 16", "100 = 6 * 16 + 4"}, 0),
        code_row("element-type",
                 {"f32  ................................", "bf16 ................", "e4m3 ........"}, 1),
        code_row("configuration", {"q   64 x 128 bf16  shared", "acc 64 x 128 f32   registers"}),
        code_row("mutant", {"if (a.dim == b.dim)", "if (a.dim != b.dim)"}, 1),
        code_row("operation", {"y = a * b + c", "2 operations"}, 1),
        code_row("exact-arithmetic", {"1/3 + 1/3 + 1/3 = 1", "0.333 + 0.333 + 0.333 = 0.999"}, 0),
        code_row("stale", {"105 µs  before the edit"}, 0),
        code_row("plan", {"m  grouped", "n  streamed"}),
        code_row("note", {"step 7", "Ask here: why may we", "divide afterwards?"}, 1),
        code_row("document", {"{\"format\": \"blockscope", "  document\", \"steps\": ["}),
        code_row("paper", {"rule 4", "diag(c)*A*B", "  = diag(c)*(A*B)"}, 0),
        code_row("role", {"producer  exp(x)", "consumer  row_sum"}),
    };
}

std::vector<PictureRow> machines() {
    return {
        memory_row("global-memory", "global"),
        memory_row("local-memory", "local"),
        memory_row("processor", "processor"),
        memory_row("traffic", "traffic"),
        memory_row("cache", "cache"),
        memory_row("task", "tasks"),
        memory_row("linked", "links"),
        memory_row("threads", "threads"),
        memory_row("device", "all"),
        grid_row("block", "block"),
        grid_row("block-size", "size"),
        grid_row("dimension", "dimension"),
        grid_row("ragged", "ragged"),
        grid_row("list", "list"),
        grid_row("item", "item"),
        grid_row("batch", "batch"),
        grid_row("group", "group"),
        grid_row("causal-mask", "mask"),
        grid_row("stream", "stream"),
        grid_row("transposed", "transposed"),
        grid_row("fragments", "threads"),
        cells_row("step", "step"),
        cells_row("snapshot", "snapshot"),
        cells_row("best", "best"),
        cells_row("baseline", "base"),
        cells_row("branch", "branch"),
        cells_row("chapter", "chapter"),
        cells_row("timeline", "all"),
        curve_row("roofline", "roofline"),
        curve_row("intensity", "intensity"),
        curve_row("law", "law"),
        curve_row("memory-limit", "memory"),
        curve_row("optimum", "optimum"),
    };
}

std::vector<PictureRow> times() {
    return {
        lanes_row("bind", {{"memory", {{0, 100}}, true}, {"arithmetic", {{0, 45}}}, {"launch", {{0, 12}}}}),
        lanes_row("clocks", {{"tensor", {{0, 80}}, true}, {"special", {{0, 55}}}, {"arithmetic", {{0, 30}}}}),
        lanes_row("allowance", {{"tensor", {{0, 60}}}, {"special", {{0, 100}}, true}}),
        lanes_row("schedule", {{"tensor", {{0, 30}, {40, 30}}}, {"special", {{30, 30}, {70, 30}}, true}}),
        lanes_row("stage",
                  {{"copy", {{0, 30}, {30, 30}, {60, 30}}, true}, {"compute", {{30, 30}, {60, 30}}}}),
        lanes_row("overhead", {{"algorithm", {{0, 70}}}, {"overhead", {{70, 22}}, true}}),
        lanes_row("launch",
                  {{"kernel 1", {{0, 28}}}, {"kernel 2", {{36, 28}}, true}, {"kernel 3", {{72, 28}}}}),
        lanes_row("replicated",
                  {{"before", {{0, 25}}}, {"after", {{0, 25}, {25, 25}, {50, 25}, {75, 25}}, true}}),
        lanes_row("wave", {{"wave 1", {{0, 24}, {25, 24}, {50, 24}, {75, 24}}}, {"wave 2", {{0, 24}}, true}}),
        lanes_row("warm", {{"warm", {{0, 35}}, true}, {"cold", {{0, 100}}}}),
        lanes_row("measurement", {{"run 1", {{0, 62}}}, {"run 2", {{0, 60}}, true}, {"run 3", {{0, 59}}}}),
        lanes_row("regret", {{"chosen", {{0, 80}}, true}, {"fastest", {{0, 60}}}}),
    };
}

std::vector<PictureRow> flows() {
    return {
        flow_row("algorithm", {"fuse all that fuses", "snapshot", "extend one map"}),
        flow_row("analysis", {"circuit diagram + device", "axes, bytes, speed"}, 1),
        flow_row("calibration", {"small programs", "this machine", "rates"}, 2),
        flow_row("candidate", {"places", "candidates", "matches"}, 1),
        flow_row("emulator", {"CUDA", "emulator on a CPU", "the same results"}, 1),
        flow_row("form", {"as it stands", "safe", "per block"}, 1),
        flow_row("lowering", {"graph", "loop program", "listing, costs, CUDA"}, 1),
        flow_row("nvrtc", {"CUDA", "NVRTC", "card"}, 1),
        flow_row("proof", {"before, after", "the same inputs", "equal"}, 2),
        flow_row("replay", {"trace", "every step again", "the same state"}, 1),
        flow_row("target", {"loops", "sm_80 or f32", "CUDA"}, 1),
        flow_row("time-model", {"bytes, operations", "model of a device", "microseconds"}, 1),
        flow_row("verifier", {"rewrite", "verifier", "state"}, 1),
        flow_row("worker", {"window", "worker", "card"}, 1),
        flow_row("lineage", {"n4, n7", "rule 1", "n12"}, 2),
        flow_row("journal", {"what you do", "journal", "the next start"}, 1),
    };
}

const std::vector<PictureRow>& rows() {
    static const std::vector<PictureRow> kRows = [] {
        std::vector<PictureRow> all;
        for (const auto& part : {signs(), programs(), listings(), machines(), times(), flows()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kRows;
}

}  // namespace

std::vector<std::string> term_picture_names() {
    std::vector<std::string> names;
    for (const PictureRow& row : rows()) names.emplace_back(row.name);
    return names;
}

std::string term_picture_svg(const std::string& name) {
    const auto row =
        std::find_if(rows().begin(), rows().end(), [&](const PictureRow& each) { return each.name == name; });
    if (row == rows().end()) throw InternalError("the glossary has no picture \"" + name + "\"");
    VectorDevice device;
    QPainter painter(&device);
    device.start(" class=\"term\"");
    const Rect all{0, 0, kTermPicture.width, kTermPicture.height};
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::light().canvas);
    painter.drawRect(QRectF(0, 0, all.width, all.height));
    TermSketch sketch(painter);
    row->draw(sketch);
    painter.end();
    return svg_file(all, name, name, svg_items(device.items(), plain_colour));
}

}  // namespace blockscope
