// blockscope-cli render: the picture of one state.
#include "app/export/render.h"

#include <algorithm>

#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/picture_commands.h"
#include "app/cli/picture_output.h"
#include "app/cli/selection.h"
#include "app/document/pictures.h"
#include "core/json/json_io.h"
#include "core/print/print.h"

namespace blockscope::cli {
namespace {

constexpr double kAround = 24;  // pixels of the picture around chosen nodes

// The state that is asked for, on the way that the content's branch leads.
StateId chosen_state(const blockscope::Content& content, const RenderArguments& arguments) {
    if (!arguments.step && !arguments.snapshot) return content.current;
    const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    const int steps = static_cast<int>(way.size()) - 1;
    if (arguments.step) {
        if (*arguments.step <= steps) return way[static_cast<std::size_t>(*arguments.step)];
        throw UsageError("there is no step " + std::to_string(*arguments.step) + "; the run has " +
                         std::to_string(steps) + (steps == 1 ? " step" : " steps"));
    }
    if (*arguments.snapshot == 0) return way.front();
    int count = 0;
    for (const StateId id : way)
        if (content.history.state(id).snapshot && ++count == *arguments.snapshot) return id;
    throw UsageError("there is no snapshot " + std::to_string(*arguments.snapshot) + "; the run has " +
                     std::to_string(count) + ", counted from 1, and 0 is the unfused program");
}

Folds chosen_folds(const blockscope::Content& content, StateId state, const RenderArguments& arguments) {
    const BlockProgram& program = *content.history.state(state).program;
    Folds folds = arguments.fold ? folds_at_depth(program, *arguments.fold) : content.folds;
    if (arguments.fold_maps.empty()) return folds;
    const Selection maps = find_selection(program, arguments.fold_maps);
    const GraphPtr level = graph_at(program, maps.path);
    for (const NodeId map : maps.nodes) {
        if (!level->find(map)->is<Map>())
            throw UsageError(describe(*level->find(map), program.dims) + " is not a map; only maps fold");
        folds.insert(map);
    }
    return folds;
}

// What is around these nodes, with a margin. Of a node in a folded map that is the cloud.
std::optional<Rect> chosen_part(const Picture& picture, const BlockProgram& program,
                                const std::string& nodes) {
    if (nodes.empty()) return std::nullopt;
    const auto& boxes = picture.geometry.boxes;
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const NodeId node : find_selection(program, nodes).nodes) {
        const Rect& rect = boxes.at(static_cast<std::size_t>(picture.figure.find(node)));
        left = std::min(left, rect.left());
        top = std::min(top, rect.top());
        right = std::max(right, rect.right());
        bottom = std::max(bottom, rect.bottom());
    }
    return Rect{left, top, right - left, bottom - top}.grown(kAround);
}

std::string drawn(blockscope::Content content, StateId state, const RenderArguments& arguments,
                  const std::string& format) {
    gui_application();
    content.folds = chosen_folds(content, state, arguments);
    const auto shared = std::make_shared<const blockscope::Content>(std::move(content));
    Pictures pictures(qt_measure());
    const PicturePtr picture = pictures.now(shared, state);
    RenderOptions options;
    options.theme = arguments.dark ? Theme::dark_theme() : Theme::light();
    options.background = !arguments.transparent;
    options.legend = arguments.legend;
    options.caption = arguments.caption;
    options.types = arguments.types;
    options.part = chosen_part(*picture, *shared->history.state(state).program, arguments.nodes);
    options.title = shared->name + ", step " + std::to_string(shared->history.depth(state));
    if (format == "svg") return render_svg(*picture, options);
    if (format == "pdf") return render_pdf(*picture, options).toStdString();
    const QByteArray png = render_png(*picture, options, arguments.scale);
    if (png.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return png.toStdString();
}

void refuse_options_of_circuits(const RenderArguments& arguments) {
    const bool circuit = arguments.circuit != RenderArguments{}.circuit || !arguments.repeat.empty() ||
                         !arguments.numbers.empty() || arguments.width;
    if (circuit)
        throw UsageError("--circuit, --numbers, --width and --repeat belong to circuits; add --view circuit");
}

// The graph and the program are always whole, and have no looks.
void refuse_options_of_pictures(const RenderArguments& arguments, const std::string& format) {
    const RenderArguments none;
    const bool picture = arguments.fold || !arguments.fold_maps.empty() || !arguments.nodes.empty() ||
                         arguments.types || arguments.legend || !arguments.caption.empty() ||
                         arguments.dark || arguments.transparent || arguments.scale != none.scale;
    if (picture)
        throw UsageError(
            format +
            " holds the whole state without looks: --fold, --fold-map, --node, --types, --legend, "
            "--caption, --dark, --transparent and --scale belong to svg, pdf and png");
}

}  // namespace

int render_command(const RenderArguments& arguments) {
    const bool levels = arguments.view == "circuit" && arguments.circuit == "levels";
    if (levels || (arguments.view != "block" && arguments.view != "circuit")) return render_kernel(arguments);
    if (arguments.kernel != KernelArguments{})
        throw UsageError(
            "--device and the options of kernels go with --view pseudocode, clocks or levels, or with "
            "--circuit levels");
    const std::string text = read_file(arguments.file);
    if (content_of(text) == Content::Circuit) return render_document(text, arguments);
    blockscope::Content content = content_in(text, arguments.file);
    const StateId state = chosen_state(content, arguments);
    if (arguments.view == "circuit") return render_circuit(content, state, arguments);
    refuse_options_of_circuits(arguments);
    if (arguments.format == "tex") throw UsageError("tex is a format of circuits and kernels; add --view");
    const std::string format =
        chosen_format(arguments.format, arguments.output, {"svg", "pdf", "png", "dot", "json"}, "svg");
    if (format == "dot" || format == "json") refuse_options_of_pictures(arguments, format);
    const ProgramPtr program = content.history.state(state).program;
    std::string bytes = format == "dot"    ? dot(*program)
                        : format == "json" ? write_json(*program)
                                           : drawn(std::move(content), state, arguments, format);
    const bool binary = format == "pdf" || format == "png";
    return deliver({"render", display_name(arguments.file), format, std::move(bytes), binary},
                   arguments.output, arguments.json);
}

}  // namespace blockscope::cli
