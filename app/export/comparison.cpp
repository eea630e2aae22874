#include "app/export/comparison.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

#include "app/compare/compare_view.h"
#include "app/export/paper.h"
#include "app/files/file_formats.h"
#include "app/files/painting.h"
#include "core/cost/models/model.h"
#include "core/state/state.h"

namespace blockscope {

namespace {

struct ComparisonTexts {
    Q_DECLARE_TR_FUNCTIONS(ComparisonTexts)
};

constexpr Size kUpright{794, 1123};  // A4 at 96 pixels to the inch
constexpr Size kLying{1123, 794};
constexpr double kCellGap = 24;
constexpr double kPartAir = 14;  // around the part of a picture
constexpr double kLeastPoints = 7;
constexpr double kPointsAtOne = 9;  // the smallest names of a picture, of 12 pixels
constexpr double kReadableScale = kLeastPoints / kPointsAtOne;
constexpr double kLargestScale = 1.25;

QString bytes_of(const State& state) {
    return QString::fromStdString(bytes_text_of(static_cast<double>(state.counts().bytes())));
}

ComparisonCell cell_of(const Content& content, const ComparisonRequest& request, int side) {
    const StateId id = side == 0 ? request.before : request.after;
    const HistoryState& shown = content.history.state(id);
    const State state(shown.program);
    ComparisonCell cell;
    cell.side = side;
    cell.title = state_name(content, id);
    cell.best = request.best == id;
    QStringList numbers{ComparisonTexts::tr("%1 moved").arg(bytes_of(state)),
                        ComparisonTexts::tr("red edges: %1").arg(buffered_edges(*shown.program)),
                        ComparisonTexts::tr("kernels: %1").arg(state.counts().launches)};
    if (const auto time = request.times.find(id); time != request.times.end()) numbers << time->second;
    if (cell.best) numbers << ComparisonTexts::tr("best state");
    cell.numbers = numbers.join(QStringLiteral(" · "));
    return cell;
}

// Maps and operators of the top level: what can be a kernel.
std::vector<NodeId> top_level(const BlockProgram& program) {
    std::vector<NodeId> nodes;
    for (const NodePtr& node : program.graph->nodes())
        if (!node->is<Input>() && !node->is<Output>()) nodes.push_back(node->id);
    return nodes;
}

// ---- Parts: kernels of one state and what they are in the other.

struct ComparedPart {
    std::set<NodeId> before, after;  // of the top level
};

// By every node the one of the top level that holds it.
void collect_roots(const Graph& graph, std::optional<NodeId> root, std::map<NodeId, NodeId>& roots) {
    for (const NodePtr& node : graph.nodes()) {
        const NodeId top = root.value_or(node->id);
        roots[node->id] = top;
        if (const Map* map = node->as<Map>()) collect_roots(*map->body, top, roots);
    }
}

std::map<NodeId, NodeId> roots_of(const BlockProgram& program) {
    std::map<NodeId, NodeId> roots;
    collect_roots(*program.graph, std::nullopt, roots);
    return roots;
}

// Kernels of both states that share something are one part, in the order of those before.
std::vector<ComparedPart> parts_of(const History& history, StateId before, StateId after) {
    const BlockProgram &a = *history.state(before).program, &b = *history.state(after).program;
    const std::map<NodeId, NodeId> roots = roots_of(a), roots_after = roots_of(b);
    const Correspondence pairs = correspond(history, before, after);
    std::map<NodeId, std::set<NodeId>> becomes;
    for (const auto& [node, others] : pairs.forward)
        if (const auto root = roots.find(node); root != roots.end())
            for (const NodeId other : others)
                if (const auto found = roots_after.find(other); found != roots_after.end())
                    becomes[root->second].insert(found->second);
    std::vector<ComparedPart> parts;
    for (const NodeId node : top_level(a)) {
        ComparedPart part{{node}, becomes[node]};
        std::vector<ComparedPart> apart;
        for (ComparedPart& other : parts) {
            const bool shared = std::any_of(part.after.begin(), part.after.end(),
                                            [&](NodeId each) { return other.after.count(each) > 0; });
            if (!shared) {
                apart.push_back(std::move(other));
                continue;
            }
            part.before.merge(other.before);
            part.after.merge(other.after);
        }
        apart.push_back(std::move(part));
        parts = std::move(apart);
    }
    std::sort(parts.begin(), parts.end(), [](const ComparedPart& x, const ComparedPart& y) {
        return *x.before.begin() < *y.before.begin();
    });
    return parts;
}

// ---- Pictures that can be read in a room.

// A picture, folded or not, and what of it is seen.
struct FittedPicture {
    PicturePtr picture;
    Rect part;
    int depth = 0;  // levels that are unfolded
    double scale = 0;
};

Rect united(const Rect& a, const Rect& b) {
    const double left = std::min(a.left(), b.left()), top = std::min(a.top(), b.top());
    return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

// Around the boxes of these nodes; everything without any.
Rect part_around(const Picture& picture, const std::set<NodeId>& nodes) {
    std::optional<Rect> around;
    for (const NodeId node : nodes)
        if (const int box = picture.figure.find(node); box >= 0) {
            const Rect& rect = picture.geometry.boxes[static_cast<std::size_t>(box)];
            around = around ? united(*around, rect) : rect;
        }
    const Rect& bounds = picture.geometry.bounds;
    if (!around) return bounds;
    const double left = std::max(bounds.left(), around->left() - kPartAir);
    const double top = std::max(bounds.top(), around->top() - kPartAir);
    return {left, top, std::min(bounds.right(), around->right() + kPartAir) - left,
            std::min(bounds.bottom(), around->bottom() + kPartAir) - top};
}

// How many sheets a picture needs in one direction. Less than a pixel of it is nothing.
int sheets_along(double length, double seen) {
    return std::max(0, static_cast<int>(std::ceil((length - 1) / seen)));
}

class Comparer {
public:
    Comparer(const Content& content, const ComparisonRequest& request, const PictureSource& pictures)
        : content_(content), request_(request), pictures_(pictures) {}

    StateId state(int side) const { return side == 0 ? request_.before : request_.after; }
    const BlockProgram& program(int side) const { return *content_.history.state(state(side)).program; }
    bool cancelled() const { return cancelled_; }

    // With `depth` levels unfolded, of these nodes of the top level alone where there are some.
    FittedPicture fitted(int side, int depth, const std::set<NodeId>& only, const Size& room) {
        Folds folds = folds_at_depth(program(side), depth);
        if (only.empty()) folds.insert(content_.folds.begin(), content_.folds.end());
        for (const NodePtr& node : program(side).graph->nodes())
            if (!only.empty() && node->is<Map>() && only.count(node->id) == 0) folds.insert(node->id);
        FittedPicture made{pictures_(state(side), {std::nullopt, room}, folds), {}, depth};
        if (!made.picture) {
            cancelled_ = true;
            return made;
        }
        made.part = part_around(*made.picture, only);
        made.scale = std::min({kLargestScale, room.width / made.part.width, room.height / made.part.height});
        return made;
    }

    // With as many levels unfolded as can be read; folded altogether if that is too much already.
    FittedPicture deepest(int side, const std::set<NodeId>& only, const Size& room) {
        FittedPicture best = fitted(side, 0, only, room);
        for (int depth = 1; !cancelled_ && best.scale >= kReadableScale; ++depth) {
            FittedPicture next = fitted(side, depth, only, room);
            if (!next.picture || next.scale < kReadableScale) break;
            best = std::move(next);
            if (folds_at_depth(program(side), depth).empty()) break;
        }
        return best;
    }

private:
    const Content& content_;
    const ComparisonRequest& request_;
    const PictureSource& pictures_;
    bool cancelled_ = false;
};

// ---- Pages.

// Where cells are on a page: one, or two beside each other or one above the other.
std::vector<Rect> cells_on(const ComparisonPage& page, std::size_t count, bool beside) {
    const double width = page.paper.width - 2 * kPaperEdge;
    const double top = kPaperEdge + kPageHead;
    const double height = page.paper.height - top - kPaperEdge - comparison_legend(page, width).height;
    if (count == 1) return {{kPaperEdge, top, width, height}};
    const Size room = beside ? Size{(width - kCellGap) / 2, height} : Size{width, (height - kCellGap) / 2};
    const Rect first{kPaperEdge, top, room.width, room.height};
    Rect second = first;
    (beside ? second.x : second.y) += kCellGap + (beside ? room.width : room.height);
    return {first, second};
}

Size seen_in(const Rect& cell) {
    return {cell.width, std::max(cell.height - kCellHead, 1.0)};
}

void put(ComparisonCell& cell, const FittedPicture& fitted, ComparisonPage& page) {
    cell.picture = fitted.picture;
    cell.part = fitted.part;
    page.scale = std::min(page.scale, fitted.scale);
}

class Pages {
public:
    Pages(const Content& content, const ComparisonRequest& request, const PictureSource& pictures)
        : content_(content),
          request_(request),
          comparer_(content, request, pictures),
          differences_(diff_states(content.history, request.before, request.after)),
          marks_(marks_of(differences_)),
          parts_(parts_of(content.history, request.before, request.after)) {
        blank_.title = content.name + ": " + short_state_name(content, request.before).toStdString() + ", " +
                       short_state_name(content, request.after).toStdString();
        blank_.summary = summary(count(differences_));
        if (!request.by.isEmpty() && !request.times.empty())
            blank_.summary += QStringLiteral(" · ") + ComparisonTexts::tr("times: %1").arg(request.by);
        blank_.signs = marks_.signs;
        blank_.scale = kLargestScale;
    }

    std::vector<ComparisonPage> all() {
        std::vector<ComparisonPage> pages{whole(kUpright)};
        if (comparer_.cancelled()) return {};
        const Size paper = pages.front().paper;
        if (smallest_print(pages.front()) < kLeastPoints)
            pages = folded();
        else if (!content_.folds.empty())  // the user's, or those that a large program is opened with
            pages = add_parts(std::move(pages), paper, {-1, -1});
        if (comparer_.cancelled()) return {};
        for (ComparisonPage& page : pages) light(page);
        return pages;
    }

private:
    // Everything unfolded, on this paper, upright or lying, beside each other or not: as large as it gets.
    ComparisonPage whole(Size upright) {
        std::optional<ComparisonPage> best;
        for (const Size& paper : {Size{upright.height, upright.width}, upright})
            for (const bool beside : {true, false}) {
                ComparisonPage page = laid_out(paper, beside, [&](int side, const Size& room) {
                    return comparer_.fitted(side, kAllLevels, {}, room);
                });
                if (!best || page.scale > best->scale + 1e-9) best = std::move(page);
            }
        return *best;
    }

    template <class Fit>
    ComparisonPage laid_out(Size paper, bool beside, Fit fit) {
        ComparisonPage page = blank_;
        page.paper = paper;
        const std::vector<Rect> places = cells_on(page, 2, beside);
        for (int side = 0; side < 2; ++side) {
            ComparisonCell cell = cell_of(content_, request_, side);
            cell.rect = places[static_cast<std::size_t>(side)];
            put(cell, fit(side, seen_in(cell.rect)), page);
            page.cells.push_back(std::move(cell));
            if (comparer_.cancelled()) break;
        }
        return page;
    }

    // Both with as much unfolded as can be read, beside each other or one above the other.
    using Depths = std::array<int, 2>;  // levels that are unfolded, of each side
    struct Overview {
        ComparisonPage page;
        Depths depth = {0, 0};
    };
    Overview overview(Size paper, const ComparedPart& part) {
        std::optional<Overview> best;
        for (const bool beside : {true, false}) {
            Overview next;
            next.page = laid_out(paper, beside, [&](int side, const Size& room) {
                FittedPicture fitted = comparer_.deepest(side, side == 0 ? part.before : part.after, room);
                next.depth[static_cast<std::size_t>(side)] = fitted.depth;
                return fitted;
            });
            const auto worth = [](const Overview& each) {
                const bool readable = smallest_print(each.page) >= kLeastPoints;
                return std::tuple(readable, each.depth[0] + each.depth[1], each.page.scale);
            };
            if (!best || worth(next) > worth(*best)) best = std::move(next);
            if (comparer_.cancelled()) break;
        }
        return *best;
    }

    // One state on a page of its own.
    ComparisonPage alone(int side, Size paper, int& depth) {
        ComparisonPage page = blank_;
        page.paper = paper;
        ComparisonCell cell = cell_of(content_, request_, side);
        cell.rect = cells_on(page, 1, true).front();
        const FittedPicture fitted = comparer_.deepest(side, {}, seen_in(cell.rect));
        depth = fitted.depth;
        put(cell, fitted, page);
        page.cells.push_back(std::move(cell));
        return page;
    }

    std::vector<ComparisonPage> folded() {
        const Size paper = kLying;
        Overview first = overview(paper, {});
        std::vector<ComparisonPage> pages;
        Depths depth = first.depth;
        if (smallest_print(first.page) >= kLeastPoints) {
            pages.push_back(std::move(first.page));
        } else {
            depth = {0, 0};
            for (const int side : {0, 1}) {
                std::vector<ComparisonPage> sheets = sheets_of(side, paper);
                pages.insert(pages.end(), std::make_move_iterator(sheets.begin()),
                             std::make_move_iterator(sheets.end()));
            }
        }
        return parts_.size() == 1 ? add_states(std::move(pages), paper, depth)
                                  : add_parts(std::move(pages), paper, depth);
    }

    // One state, folded altogether and still too large: as many sheets as it takes, each with a part of it.
    std::vector<ComparisonPage> sheets_of(int side, Size paper) {
        ComparisonPage page = blank_;
        page.paper = paper;
        ComparisonCell cell = cell_of(content_, request_, side);
        cell.rect = cells_on(page, 1, true).front();
        const Size room = seen_in(cell.rect);
        const FittedPicture fitted = comparer_.deepest(side, {}, room);
        if (comparer_.cancelled()) return {};
        page.scale = std::max(fitted.scale, kReadableScale);
        cell.picture = fitted.picture;
        const Size seen{room.width / page.scale, room.height / page.scale};
        std::vector<ComparisonPage> sheets;
        const int rows = sheets_along(fitted.part.height, seen.height);
        const int columns = sheets_along(fitted.part.width, seen.width);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const double x = fitted.part.left() + column * seen.width;
                const double y = fitted.part.top() + row * seen.height;
                cell.part = {x, y, std::min(seen.width, fitted.part.right() - x),
                             std::min(seen.height, fitted.part.bottom() - y)};
                if (!shows_box(*cell.picture, cell.part)) continue;
                sheets.push_back(page);
                sheets.back().cells.push_back(cell);
            }
        for (std::size_t i = 0; sheets.size() > 1 && i < sheets.size(); ++i)
            sheets[i].cells[0].title = ComparisonTexts::tr("%1, sheet %2 of %3")
                                           .arg(sheets[i].cells[0].title)
                                           .arg(i + 1)
                                           .arg(sheets.size());
        return sheets;
    }

    static bool shows_box(const Picture& picture, const Rect& part) {
        return std::any_of(picture.geometry.boxes.begin(), picture.geometry.boxes.end(),
                           [&](const Rect& box) { return box.intersects(part); });
    }

    // Everything has become one kernel: both states as they are, where a whole page has room for more of
    // them.
    std::vector<ComparisonPage> add_states(std::vector<ComparisonPage> pages, Size paper,
                                           const Depths& depth) {
        for (int side = 0; side < 2; ++side) {
            int unfolded = 0;
            ComparisonPage page = alone(side, paper, unfolded);
            const bool readable = smallest_print(page) >= kLeastPoints;
            if (readable && unfolded > depth[static_cast<std::size_t>(side)])
                pages.push_back(std::move(page));
        }
        return pages;
    }

    std::vector<ComparisonPage> add_parts(std::vector<ComparisonPage> pages, Size paper,
                                          const Depths& depth) {
        std::vector<ComparisonPage> found;
        for (const ComparedPart& part : parts_) {
            if (part.before.empty() || part.after.empty() || !differs(part)) continue;
            Overview made = overview(paper, part);
            if (comparer_.cancelled()) return pages;
            const bool more = made.depth[0] > depth[0] || made.depth[1] > depth[1];
            if (!more || smallest_print(made.page) < kLeastPoints) continue;
            name(made.page, part);
            found.push_back(std::move(made.page));
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            found[i].summary =
                ComparisonTexts::tr("Part %1 of %2: %3").arg(i + 1).arg(found.size()).arg(found[i].summary);
            pages.push_back(std::move(found[i]));
        }
        return pages;
    }

    // Whether anything in the part is marked.
    bool differs(const ComparedPart& part) const {
        return std::any_of(part.before.begin(), part.before.end(),
                           [&](NodeId node) { return marks_.before.count(node) > 0; }) ||
               std::any_of(part.after.begin(), part.after.end(),
                           [&](NodeId node) { return marks_.after.count(node) > 0; });
    }

    // A part is called by the arrays that it makes; its cells say how many kernels it is.
    void name(ComparisonPage& page, const ComparedPart& part) const {
        QStringList names;
        for (const NodeId node : part.before) {
            const Figure& figure = page.cells[0].picture->figure;
            const int box = figure.find(node);
            if (box < 0) continue;
            const QString name = QString::fromStdString(figure.boxes[static_cast<std::size_t>(box)].name);
            if (!name.isEmpty() && !names.contains(name)) names << name;
        }
        page.summary = names.join(QStringLiteral(", "));
        for (ComparisonCell& cell : page.cells)
            cell.numbers = ComparisonTexts::tr("kernels of this part: %1")
                               .arg((cell.side == 0 ? part.before : part.after).size());
    }

    void light(ComparisonPage& page) const {
        for (ComparisonCell& cell : page.cells) {
            cell.lights = lights_of(cell.side == 0 ? marks_.before : marks_.after, *cell.picture);
            cell.lights.edge_labels = false;
        }
    }

    static constexpr int kAllLevels = 1000;

    const Content& content_;
    const ComparisonRequest& request_;
    Comparer comparer_;
    const std::vector<Difference> differences_;
    const ComparedMarks marks_;
    const std::vector<ComparedPart> parts_;
    ComparisonPage blank_;
};

}  // namespace

std::vector<ComparisonPage> compare_on_paper(const Content& content, const ComparisonRequest& request,
                                             const PictureSource& pictures) {
    return Pages(content, request, pictures).all();
}

double smallest_print(const ComparisonPage& page) {
    return kPointsAtOne * page.scale;
}

// How a page of two compared states is painted, and all of them written.

namespace {

void put_cell(QPainter& painter, const ComparisonCell& cell, const ComparisonPage& page, const Theme& theme) {
    const Rect& rect = cell.rect;
    painter.setPen(QPen(cell.best ? theme.made : theme.faint, cell.best ? 2.5 : 1));
    painter.drawLine(QPointF(rect.x, rect.y), QPointF(rect.right(), rect.y));
    const QString star = cell.best ? QStringLiteral("\u2605 ") : QString();
    put_line(painter, {.pixels = 17, .bold = true}, theme.ink, QRectF(rect.x, rect.y + 6, rect.width, 24),
             star + cell.title);
    put_line(painter, {.pixels = 13}, theme.ink, QRectF(rect.x, rect.y + 31, rect.width, 20), cell.numbers);
    const Rect& part = cell.part;
    painter.save();
    painter.translate(rect.x + (rect.width - part.width * page.scale) / 2, rect.y + kCellHead);
    painter.scale(page.scale, page.scale);
    painter.translate(-part.x, -part.y);
    painter.setClipRect(QRectF(part.x, part.y, part.width, part.height));
    paint(painter, *cell.picture, theme, cell.lights, part, 1);
    painter.restore();
}

void put_page(QPainter& painter, const ComparisonPage& page, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.canvas);
    painter.drawRect(QRectF(0, 0, page.paper.width, page.paper.height));
    const double width = page.paper.width - 2 * kPaperEdge;
    put_line(painter, {.pixels = 24, .bold = true}, theme.ink, QRectF(kPaperEdge, kPaperEdge - 8, width, 34),
             QString::fromStdString(page.title));
    put_line(painter, {.pixels = 13}, theme.faint, QRectF(kPaperEdge, kPaperEdge + 28, width, 20),
             page.summary);
    for (const ComparisonCell& cell : page.cells) put_cell(painter, cell, page, theme);
    if (page.signs.empty()) return;
    painter.save();
    painter.translate(kPaperEdge,
                      page.paper.height - kPaperEdge - comparison_legend(page, width).height + 12);
    paint_legend(painter, theme, page.signs, legend_columns(page.signs, width));
    painter.restore();
}

}  // namespace

Size comparison_legend(const ComparisonPage& page, double width) {
    return page.signs.empty() ? Size{} : legend_size(page.signs, legend_columns(page.signs, width));
}

void paint_comparison(QPainter& painter, const std::vector<ComparisonPage>& pages, const Theme& theme) {
    painter.save();
    for (const ComparisonPage& page : pages) {
        painter.save();
        put_page(painter, page, theme);
        painter.restore();
        painter.translate(0, page.paper.height);
    }
    painter.restore();
}

QByteArray comparison_bytes(const std::string& format, const std::vector<ComparisonPage>& pages,
                            const Theme& theme) {
    if (pages.empty()) return {};
    const Size paper = pages.front().paper;
    const auto count = static_cast<int>(pages.size());
    if (const FileFormat* row = find_format(format); row && row->kind == FormatKind::Pages)
        return write_pdf(pages.front().title, {paper.width, paper.height}, count,
                         [&](QPainter& painter, int number) {
                             put_page(painter, pages[static_cast<std::size_t>(number)], theme);
                         });
    PaintedFile painting;
    painting.size = {paper.width, paper.height * count};
    painting.title = pages.front().title;
    painting.description = pages.front().summary.toStdString();
    painting.kind = "comparison";
    painting.paint = [&](QPainter& painter, double, VectorDevice*) {
        paint_comparison(painter, pages, theme);
    };
    return write_painting(format, painting);
}

}  // namespace blockscope
