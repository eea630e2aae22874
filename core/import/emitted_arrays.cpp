#include "core/import/emit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/program/syntax.h"

namespace blockscope::model {

ElemType element_type(TensorKind kind) {
    switch (kind) {
        case TensorKind::F16:
            return ElemType::F16;
        case TensorKind::BF16:
            return ElemType::BF16;
        case TensorKind::E4M3:
            return ElemType::E4M3;
        case TensorKind::E5M2:
            return ElemType::E5M2;
        default:
            return ElemType::F32;
    }
}

// The order of batch dimensions is that in which atoms stand in the inputs, then in what the nodes make.
EmittedArrays::EmittedArrays(const TensorGraph& graph, const TrackedDimensions& dims,
                             const std::vector<AtomRole>& roles, const std::map<int, WeightPart>& parts)
    : graph_(graph), roles_(roles), atoms_(dims.atoms()), parts_(parts), order_(dims.atoms().count(), -1) {
    int next = 0;
    const auto number = [&](int tensor) {
        for (const AtomList& list : dims.of_tensor(tensor))
            for (const int atom : list)
                if (order_[static_cast<std::size_t>(atom)] < 0)
                    order_[static_cast<std::size_t>(atom)] = next++;
    };
    for (const int input : graph.inputs) number(input);
    for (const GraphNode& node : graph.nodes)
        for (const int output : node.outputs)
            if (output >= 0) number(output);
}

DimId EmittedArrays::dimension(int atom) {
    const auto known = dimensions_.find(atom);
    if (known != dimensions_.end()) return known->second;
    constexpr std::size_t most = 65'000;
    if (program_.dims.size() >= most) throw Refusal{Text("the program has more than %1 dimensions", most)};
    if (atoms_.size(atom) < 1) throw Refusal{Text("it has no elements")};
    if (atoms_.size(atom) > kLargestExtent)
        throw Refusal{Text("it has an extent of more than %1", kLargestExtent)};
    const DimId id{static_cast<std::uint16_t>(program_.dims.size())};
    Dim dim;
    dim.size = atoms_.size(atom);
    dim.block = is_axis(atom) ? std::min<std::int64_t>(dim.size, 128) : 1;
    dim.kind = is_axis(atom) ? DimKind::Blocked : DimKind::Group;
    program_.dims.push_back(std::move(dim));
    dimension_atoms_.push_back(atom);
    dimensions_[atom] = id;
    return id;
}

void EmittedArrays::declare(std::vector<int> atoms) {
    std::stable_sort(atoms.begin(), atoms.end(), [&](int a, int b) {
        return std::pair(is_axis(a), order_[static_cast<std::size_t>(a)]) <
               std::pair(is_axis(b), order_[static_cast<std::size_t>(b)]);
    });
    for (const int atom : atoms) dimension(atom);
}

int EmittedArrays::add(ArrayOp op) {
    if (program_.ops.size() >= kMaxArrayOps) throw Refusal{Text("the program has too many operators")};
    if (Text problem = infer(program_, op); !problem.empty()) throw Refusal{std::move(problem)};
    const auto place_of = [&](DimId dim) {
        return order_[static_cast<std::size_t>(dimension_atoms_[dim.value])];
    };
    for (std::size_t i = 1; i < op.shape.batch.size(); ++i)
        if (place_of(op.shape.batch[i - 1]) > place_of(op.shape.batch[i]))
            throw Refusal{Text("its batch dimensions come out in another order")};
    program_.ops.push_back(std::move(op));
    return static_cast<int>(program_.ops.size()) - 1;
}

// ---- Inputs and weights.

WeightPart EmittedArrays::part_of(int tensor) const {
    if (const auto known = parts_.find(tensor); known != parts_.end()) return known->second;
    WeightPart part;
    part.of = tensor;
    const Sizes sizes = sizes_of(graph_.tensors[static_cast<std::size_t>(tensor)]).value_or(Sizes());
    part.steps.assign(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) part.steps[i - 1] = part.steps[i] * sizes[i];
    return part;
}

Seen EmittedArrays::leaf(int tensor, const std::vector<AtomList>& dims) {
    const bool shared = !is_stored(graph_.tensors[static_cast<std::size_t>(tensor)]);
    Array array;
    array.tensor = tensor;
    const Sizes tensor_steps = part_of(tensor).steps;
    Seen seen;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        seen.dims.emplace_back();
        std::int64_t step = i < tensor_steps.size() ? tensor_steps[i] : 1;
        Sizes steps;
        for (auto atom = dims[i].rbegin(); atom != dims[i].rend(); ++atom) {
            steps.push_back(step);
            step *= atoms_.size(*atom);
        }
        for (std::size_t k = 0; k < dims[i].size(); ++k) {
            seen.dims.back().push_back({dims[i][k], static_cast<int>(array.atoms.size())});
            array.atoms.push_back(dims[i][k]);
            array.steps.push_back(steps[steps.size() - 1 - k]);
        }
    }
    const auto known = shared ? input_leaves_.find(tensor) : input_leaves_.end();
    seen.array = known != input_leaves_.end() ? known->second : static_cast<int>(arrays_.size());
    if (known == input_leaves_.end()) arrays_.push_back(std::move(array));
    if (shared) input_leaves_[tensor] = seen.array;
    return seen;
}

std::vector<int> EmittedArrays::natural_axes(const Seen& seen) const {
    std::vector<int> axes;
    for (const Elements& dim : seen.dims)
        for (const Element& element : dim)
            if (element.slot >= 0 && is_axis(element.atom)) axes.push_back(element.slot);
    if (axes.size() > 2) throw Refusal{Text("it has an array of more than two axes")};
    return axes;
}

std::vector<DimId> EmittedArrays::batch_of(const Array& array) {
    std::vector<int> batch;
    for (const int atom : array.atoms)
        if (!is_axis(atom)) batch.push_back(atom);
    std::sort(batch.begin(), batch.end(), [&](int a, int b) {
        return order_[static_cast<std::size_t>(a)] < order_[static_cast<std::size_t>(b)];
    });
    if (std::adjacent_find(batch.begin(), batch.end()) != batch.end())
        throw Refusal{Text("one batch dimension stands in it twice")};
    std::vector<DimId> dims;
    for (const int atom : batch) dims.push_back(dimension(atom));
    return dims;
}

// Row r sees the columns up to r + columns - rows and no others, as the language's causal mask has it.
bool EmittedArrays::is_causal(const Array& array) const {
    const WeightPart part = part_of(array.tensor);
    if (!graph_.tensors[static_cast<std::size_t>(part.of)].values || array.axes.size() != 2 ||
        array.atoms.size() != 2)
        return false;
    const auto size = [&](int slot) { return atoms_.size(array.atoms[static_cast<std::size_t>(slot)]); };
    const std::int64_t rows = size(array.axes[0]);
    const std::int64_t columns = size(array.axes[1]);
    if (rows < 2 || columns < rows) return false;
    const TensorValues& values = *graph_.tensors[static_cast<std::size_t>(part.of)].values;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int64_t at = part.offset + r * array.steps[static_cast<std::size_t>(array.axes[0])] +
                                    c * array.steps[static_cast<std::size_t>(array.axes[1])];
            const double number = values.real(static_cast<std::size_t>(at));
            if (c <= r + columns - rows ? number != 0 : !(number <= -1e4)) return false;
        }
    return true;
}

// Declares a leaf; its axes are in their order.
void EmittedArrays::place(Array& array) {
    ArrayOp op;
    op.elem = element_type(graph_.tensors[static_cast<std::size_t>(array.tensor)].kind);
    op.shape.batch = batch_of(array);
    for (const int slot : array.axes)
        op.shape.axes.push_back(dimension(array.atoms[static_cast<std::size_t>(slot)]));
    std::pair<int, std::vector<int>> key{array.tensor, {}};
    for (const std::vector<DimId>* dims : {&op.shape.batch, &op.shape.axes})
        for (const DimId dim : *dims) key.second.push_back(dim.value);
    const bool mask = array.may_be_mask && is_causal(array);
    if (mask) op.source = InputSource::CausalMask;
    key.second.push_back(mask ? -2 : -1);
    if (const auto known = placed_.find(key); known != placed_.end()) {
        array.op = known->second;
        return;
    }
    InputNumbers numbers{.op = -1, .tensor = array.tensor, .offset = 0, .sizes = {}, .steps = {}};
    const WeightPart part = part_of(array.tensor);
    numbers.tensor = part.of;
    numbers.offset = part.offset;
    const auto dimension_of = [&](int slot) {
        return dimensions_.at(array.atoms[static_cast<std::size_t>(slot)]);
    };
    const auto note = [&](int slot) {
        numbers.sizes.push_back(atoms_.size(array.atoms[static_cast<std::size_t>(slot)]));
        numbers.steps.push_back(array.steps[static_cast<std::size_t>(slot)]);
    };
    for (const DimId dim : op.shape.batch)
        for (int slot = 0; slot < static_cast<int>(array.atoms.size()); ++slot)
            if (!is_axis(array.atoms[static_cast<std::size_t>(slot)]) && dimension_of(slot) == dim)
                note(slot);
    for (const int slot : array.axes) note(slot);
    array.op = add(std::move(op));
    placed_[key] = array.op;
    leaves_[array.op] = array.tensor;
    numbers.op = array.op;
    if (!mask) inputs_.push_back(std::move(numbers));
}

int EmittedArrays::fetch(int array, const std::vector<int>& axes) {
    Array& one = at(array);
    if (one.op < 0) {
        one.axes = axes;
        place(one);
    }
    if (one.axes == axes) return one.op;
    if (axes.size() != 2 || one.axes != std::vector<int>{axes[1], axes[0]})
        throw Refusal{Text("an operand has other axes than it needs")};
    if (one.transposed < 0) {
        ArrayOp op;
        op.kind = ArrayOpKind::Transpose;
        op.operands = {one.op};
        one.transposed = add(std::move(op));
    }
    return one.transposed;
}

int EmittedArrays::fetch_all(const Seen& seen) {
    const Array& array = at(seen.array);
    if (array.op >= 0) return array.op;
    return fetch(seen.array, natural_axes(seen));
}

OutputNumbers EmittedArrays::output(const Seen& seen, int tensor) {
    const int op = fetch_all(seen);
    program_.outputs.push_back({graph_.tensors[static_cast<std::size_t>(tensor)].name, op, {}});
    const Array& array = at(seen.array);
    std::map<int, std::int64_t> steps;  // by slot
    std::int64_t step = 1;
    for (auto dim = seen.dims.rbegin(); dim != seen.dims.rend(); ++dim)
        for (auto element = dim->rbegin(); element != dim->rend(); ++element) {
            if (element->slot >= 0) steps[element->slot] = step;
            step *= atoms_.size(element->atom);
        }
    OutputNumbers numbers{.tensor = tensor, .sizes = {}, .steps = {}};
    const auto note = [&](int slot) {
        numbers.sizes.push_back(atoms_.size(array.atoms[static_cast<std::size_t>(slot)]));
        numbers.steps.push_back(steps[slot]);
    };
    for (const DimId dim : program_.ops[static_cast<std::size_t>(op)].shape.batch)
        for (int slot = 0; slot < static_cast<int>(array.atoms.size()); ++slot)
            if (array.atoms[static_cast<std::size_t>(slot)] == dimension_atoms_[dim.value]) note(slot);
    for (const int slot : array.axes) note(slot);
    return numbers;
}

// ---- Operators.

Seen EmittedArrays::made(int op, std::vector<Elements> dims, const std::vector<Element*>& axes) {
    Array array;
    array.op = op;
    for (Elements& dim : dims)
        for (Element& element : dim) {
            if (element.slot < 0) continue;
            element.slot = static_cast<int>(array.atoms.size());
            array.atoms.push_back(element.atom);
        }
    for (const Element* axis : axes) array.axes.push_back(axis->slot);
    Seen seen;
    seen.array = static_cast<int>(arrays_.size());
    seen.dims = std::move(dims);
    arrays_.push_back(std::move(array));
    return seen;
}

namespace {

// Where slot `slot` stands among the dimensions.
std::pair<std::size_t, std::size_t> place_of_slot(const Seen& seen, int slot) {
    for (std::size_t i = 0; i < seen.dims.size(); ++i)
        for (std::size_t k = 0; k < seen.dims[i].size(); ++k)
            if (seen.dims[i][k].slot == slot) return {i, k};
    throw Refusal{Text("an axis of it is not to be seen")};
}

// Of operands that are aligned at their last dimensions: the slot of operand `seen` at a place of the result;
// -1.
int slot_at(const Seen& seen, std::size_t rank, std::size_t i, std::size_t k) {
    const std::size_t missing = rank - seen.dims.size();
    if (i < missing || seen.dims[i - missing].size() <= k) return -1;
    return seen.dims[i - missing][k].slot;
}

}  // namespace

Seen EmittedArrays::same_axes(ArrayOp op, const Seen& x) {
    fetch_all(x);
    const std::vector<int> axes = at(x.array).axes;
    op.operands = {fetch(x.array, axes)};
    const int made_op = add(std::move(op));
    Seen result = x;
    std::vector<Element*> places;
    for (const int slot : axes) {
        const auto [i, k] = place_of_slot(x, slot);
        places.push_back(&result.dims[i][k]);
    }
    return made(made_op, std::move(result.dims), places);
}

void EmittedArrays::mark_mask(const Seen& seen) {
    if (seen.array >= 0 && at(seen.array).op < 0) at(seen.array).may_be_mask = true;
}

Seen EmittedArrays::combined(const std::vector<Seen>& operands, std::optional<Fn> fn,
                             const BuildExpression& build) {
    std::size_t rank = 0;
    for (const Seen& one : operands) rank = std::max(rank, one.dims.size());
    Seen result;
    result.dims.resize(rank);
    for (std::size_t i = 0; i < rank; ++i)
        for (const Seen& one : operands) {
            const std::size_t missing = rank - one.dims.size();
            if (i < missing || one.dims[i - missing].empty()) continue;
            if (result.dims[i].empty()) result.dims[i] = one.dims[i - missing];
            for (std::size_t k = 0; k < result.dims[i].size(); ++k) {
                const Element element = one.dims[i - missing].at(k);
                if (element.atom != result.dims[i][k].atom) throw Refusal{Text("its dimensions do not fit")};
                if (element.slot >= 0) result.dims[i][k].slot = 0;
            }
        }
    std::vector<std::pair<std::size_t, std::size_t>> axes;
    std::set<int> batches;
    for (std::size_t i = 0; i < rank; ++i)
        for (std::size_t k = 0; k < result.dims[i].size(); ++k) {
            const Element& element = result.dims[i][k];
            if (element.slot < 0) continue;
            if (is_axis(element.atom))
                axes.emplace_back(i, k);
            else if (!batches.insert(element.atom).second)
                throw Refusal{Text("one batch dimension would stand in its result twice")};
        }
    if (axes.size() > 2) throw Refusal{Text("its result would have more than two axes")};
    const auto axes_in = [&](const Seen& one) {
        std::vector<int> slots;
        for (const auto& [i, k] : axes)
            if (const int slot = one.array < 0 ? -1 : slot_at(one, rank, i, k); slot >= 0)
                slots.push_back(slot);
        return slots;
    };
    for (const Seen& one : operands) {
        std::vector<int> slots = axes_in(one);
        const bool decides = axes.size() == 2 && slots.size() == 2 && at(one.array).op >= 0;
        if (!decides) continue;
        if (at(one.array).axes != slots) std::swap(axes[0], axes[1]);
        break;
    }
    std::vector<int> ops;
    std::vector<std::vector<int>> all_axes;
    for (const Seen& one : operands) {
        all_axes.push_back(axes_in(one));
        if (fn == Fn::Add) mark_mask(one);
        ops.push_back(one.array < 0 ? -1 : fetch(one.array, all_axes.back()));
    }
    std::vector<Element*> places;
    for (const auto& [i, k] : axes) places.push_back(&result.dims[i][k]);
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i].array >= 0) widths.push_back(all_axes[i].size());
    if (widths.empty()) throw Refusal{Text("it has no array among its operands")};
    const bool uneven = std::any_of(widths.begin(), widths.end(),
                                    [&](std::size_t width) { return width != 0 && width != axes.size(); });
    ArrayOp op;
    if (uneven) {
        if (operands.size() != 2 || !fn || *fn == Fn::Pow)
            throw Refusal{Text("between a matrix and a vector the language has + - * / alone")};
        op.operands = ops;
        if (widths[0] + widths[1] == 3) {
            const std::size_t vector = widths[0] == 1 ? 0 : 1;
            const auto& [i, k] = axes[0];
            op.kind = ArrayOpKind::Broadcast;
            op.fn = *fn;
            op.vector_axis = slot_at(operands[vector], rank, i, k) >= 0 ? VectorAxis::Rows : VectorAxis::Cols;
        } else if (*fn == Fn::Mul) {
            const auto& [i, k] = axes[0];
            const bool rows_first = slot_at(operands[0], rank, i, k) >= 0;
            op.kind = ArrayOpKind::Outer;
            if (!rows_first) std::swap(op.operands[0], op.operands[1]);
        } else {
            throw Refusal{Text("of a row and a column the language has the product alone")};
        }
    } else {
        std::vector<ExprPtr> arguments;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (ops[i] < 0) {
                arguments.push_back(number(operands[i].number.value_or(0)));
                continue;
            }
            const auto known = std::find(op.operands.begin(), op.operands.end(), ops[i]);
            arguments.push_back(arg(static_cast<int>(known - op.operands.begin())));
            if (known == op.operands.end()) op.operands.push_back(ops[i]);
        }
        op.kind = ArrayOpKind::Elementwise;
        op.expr = build(std::move(arguments));
    }
    return made(add(std::move(op)), std::move(result.dims), places);
}

RowsOf EmittedArrays::rows_of(const Seen& x, const Elements& along, const Text& otherwise) const {
    if (along.size() != 1 || along[0].slot < 0 || !is_axis(along[0].atom)) throw Refusal{otherwise};
    RowsOf rows{.row = -1, .last = along[0].slot};
    for (const int slot : natural_axes(x))
        if (slot != rows.last) rows.row = slot;
    if (rows.row < 0)
        throw Refusal{Text("its operand is a vector; the language has it for the rows of a matrix")};
    return rows;
}

Seen EmittedArrays::made_by_rows(int op, const Seen& x, const RowsOf& rows) {
    Seen result = x;
    std::vector<Element*> places;
    for (const int slot : {rows.row, rows.last}) {
        const auto [i, k] = place_of_slot(x, slot);
        places.push_back(&result.dims[i][k]);
    }
    return made(op, std::move(result.dims), places);
}

Seen EmittedArrays::by_rows(ArrayOp op, const Seen& x, const Elements& along,
                            const std::vector<int>& vectors) {
    const RowsOf rows =
        rows_of(x, along, Text("it runs along dimensions that are no one axis of its operand"));
    op.operands = {fetch(x.array, {rows.row, rows.last})};
    op.operands.insert(op.operands.end(), vectors.begin(), vectors.end());
    return made_by_rows(add(std::move(op)), x, rows);
}

Seen EmittedArrays::rope(ArrayOpKind kind, const Seen& x, const Seen& cosines, const Seen& sines) {
    const RowsOf rows = rows_of(x, x.dims.empty() ? Elements{} : x.dims.back(),
                                Text("it rotates along dimensions that are no one axis of its operand"));
    const auto at_row = place_of_slot(x, rows.row);
    const std::size_t rank = x.dims.size();
    ArrayOp op;
    op.kind = kind;
    for (const Seen* one : {&x, &cosines, &sines}) {
        if (one->dims.size() > rank) throw Refusal{Text("its dimensions do not fit")};
        const std::vector<int> slots = {slot_at(*one, rank, at_row.first, at_row.second),
                                        slot_at(*one, rank, rank - 1, 0)};
        if (slots[0] < 0 || slots[1] < 0)
            throw Refusal{Text("its cosines and sines are not numbers for each row and column")};
        op.operands.push_back(fetch(one->array, slots));
    }
    BlockNeeds needs;
    add_need(needs, dimension(x.dims.back()[0].atom), functional_operator(array_operator(kind).rotates).cols);
    meet_needs(program_.dims, needs);
    return made_by_rows(add(std::move(op)), x, rows);
}

Seen EmittedArrays::reduced(ArrayOpKind kind, const Seen& x, const Elements& gone,
                            const std::vector<Elements>& left) {
    Seen result = x;
    result.dims = left;
    int op = -1;
    std::vector<int> axes = natural_axes(x);
    for (const Element& element : gone) {
        if (element.slot < 0) throw Refusal{Text("it reduces a dimension that is only repeated")};
        if (!is_axis(element.atom)) continue;
        if (op >= 0 || axes.size() != 2) throw Refusal{Text("it reduces all axes of its operand")};
        const int other = axes[0] == element.slot ? axes[1] : axes[0];
        ArrayOp fold;
        fold.kind = kind;
        fold.operands = {fetch(x.array, {other, element.slot})};
        op = add(std::move(fold));
        axes = {other};
    }
    if (op < 0) {
        op = fetch_all(x);
        axes = at(x.array).axes;
    }
    for (const Element& element : gone) {
        if (is_axis(element.atom)) continue;
        if (kind == ArrayOpKind::RowMax) throw Refusal{Text("it takes the largest over a batch dimension")};
        ArrayOp sum;
        sum.kind = ArrayOpKind::SumOver;
        sum.dim = dimension(element.atom);
        sum.operands = {op};
        op = add(std::move(sum));
        if (kind != ArrayOpKind::RowMean) continue;
        ArrayOp divide;
        divide.kind = ArrayOpKind::Elementwise;
        divide.operands = {op};
        divide.expr = call(Fn::Div, arg(0), size_of(dimension(element.atom)));
        op = add(std::move(divide));
    }
    std::vector<Element*> places;
    for (const int slot : axes) {
        const auto [i, k] = place_of_slot(result, slot);
        places.push_back(&result.dims[i][k]);
    }
    return made(op, std::move(result.dims), places);
}

Seen EmittedArrays::given(ArrayOp op, const std::vector<AtomList>& dims) {
    Seen result;
    Array shape;
    for (const AtomList& list : dims) {
        result.dims.emplace_back();
        for (const int atom : list) {
            result.dims.back().push_back({atom, static_cast<int>(shape.atoms.size())});
            shape.atoms.push_back(atom);
        }
    }
    const std::vector<int> axes = natural_axes(result);
    op.shape.batch = batch_of(shape);
    std::vector<Element*> places;
    for (const int slot : axes) {
        const auto [i, k] = place_of_slot(result, slot);
        places.push_back(&result.dims[i][k]);
        op.shape.axes.push_back(dimension(shape.atoms[static_cast<std::size_t>(slot)]));
    }
    return made(add(std::move(op)), std::move(result.dims), places);
}

Seen EmittedArrays::given_like(ArrayOp op, const Seen& like) {
    std::vector<AtomList> dims;
    for (const Elements& dim : like.dims) {
        dims.emplace_back();
        for (const Element& element : dim)
            if (element.slot >= 0) dims.back().push_back(element.atom);
    }
    return given(std::move(op), dims);
}

// ---- Products.

void ProductEmission::contract() {
    const Elements& left = a_.dims.back();
    const Elements& right = b_.dims[b_.dims.size() - 2];
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (k >= right.size() || left[k].atom != right[k].atom)
            throw Refusal{Text("its dimensions do not fit")};
        if (left[k].slot < 0 || right[k].slot < 0)
            throw Refusal{Text("it sums over a dimension that is repeated")};
        if (!arrays_.is_axis(left[k].atom)) {
            summed_.push_back(left[k].atom);
            batches_.push_back(left[k].atom);
        } else if (sum_left_ >= 0) {
            throw Refusal{Text("it sums over two axes at once")};
        } else {
            sum_left_ = left[k].slot;
            sum_right_ = right[k].slot;
        }
    }
    if (sum_left_ < 0) throw Refusal{Text("it sums over no axis")};
}

void ProductEmission::free_ones() {
    const std::size_t rank = std::max(a_.dims.size(), b_.dims.size());
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        const Elements* x = i + a_.dims.size() >= rank ? &a_.dims[i + a_.dims.size() - rank] : nullptr;
        const Elements* y = i + b_.dims.size() >= rank ? &b_.dims[i + b_.dims.size() - rank] : nullptr;
        if (x != nullptr && x->empty()) x = nullptr;
        if (y != nullptr && y->empty()) y = nullptr;
        if (x != nullptr && y != nullptr) {
            for (const Element& element : *x) {
                if (arrays_.is_axis(element.atom))
                    throw Refusal{Text("a batch dimension of it is an axis elsewhere")};
                batches_.push_back(element.atom);
            }
        } else if (x != nullptr) {
            left_.push_back(x);
        } else if (y != nullptr) {
            right_.push_back(y);
        }
    }
    left_.push_back(&a_.dims[a_.dims.size() - 2]);
    right_.push_back(&b_.dims.back());
}

int ProductEmission::only_axis(const std::vector<const Elements*>& free) const {
    int slot = -1;
    for (const Elements* dim : free)
        for (const Element& element : *dim) {
            if (!arrays_.is_axis(element.atom)) continue;
            if (slot >= 0) throw Refusal{Text("its result would have more than two axes")};
            if (element.slot < 0) throw Refusal{Text("an axis of it is only repeated")};
            slot = element.slot;
        }
    if (slot < 0) throw Refusal{Text("an operand is a vector; the language multiplies matrices")};
    return slot;
}

void ProductEmission::distinct_batches() const {
    std::vector<int> all = batches_;
    for (const std::vector<const Elements*>* free : {&left_, &right_})
        for (const Elements* dim : *free)
            for (const Element& element : *dim)
                if (!arrays_.is_axis(element.atom)) all.push_back(element.atom);
    std::sort(all.begin(), all.end());
    if (std::adjacent_find(all.begin(), all.end()) != all.end())
        throw Refusal{Text("one batch dimension would stand in its result twice")};
}

Seen ProductEmission::run() {
    const bool row = a_.dims.size() == 1;
    const bool column = b_.dims.size() == 1;
    if (row) a_.dims.insert(a_.dims.begin(), Elements());
    if (column) b_.dims.emplace_back();
    contract();
    free_ones();
    distinct_batches();
    const int rows = only_axis(left_);
    const int columns = only_axis(right_);
    ArrayOp op;
    op.kind = ArrayOpKind::Matmul;
    op.operands = {arrays_.fetch(a_.array, {rows, sum_left_}),
                   arrays_.fetch(b_.array, {sum_right_, columns})};
    int made = arrays_.add(std::move(op));
    for (auto atom = summed_.rbegin(); atom != summed_.rend(); ++atom) {
        ArrayOp sum;
        sum.kind = ArrayOpKind::SumOver;
        sum.dim = arrays_.dimension(*atom);
        sum.operands = {made};
        made = arrays_.add(std::move(sum));
    }
    // The result's dimensions in the tensor's order; of shared ones an operand may lack some (repeated).
    std::vector<Elements> dims;
    const std::size_t rank = std::max(a_.dims.size(), b_.dims.size());
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        const bool in_a = i + a_.dims.size() >= rank && !a_.dims[i + a_.dims.size() - rank].empty();
        const bool in_b = i + b_.dims.size() >= rank && !b_.dims[i + b_.dims.size() - rank].empty();
        Elements dim = in_a   ? a_.dims[i + a_.dims.size() - rank]
                       : in_b ? b_.dims[i + b_.dims.size() - rank]
                              : Elements();
        for (std::size_t k = 0; in_a && in_b && k < dim.size(); ++k)
            dim[k].slot = std::max(dim[k].slot, b_.dims[i + b_.dims.size() - rank].at(k).slot);
        dims.push_back(std::move(dim));
    }
    if (!row) dims.push_back(a_.dims[a_.dims.size() - 2]);
    if (!column) dims.push_back(b_.dims.back());
    std::vector<Element*> axes(2, nullptr);
    const std::size_t last = dims.size() - (column ? 0 : 1);
    for (std::size_t i = 0; i < dims.size(); ++i)
        for (Element& element : dims[i])
            if (element.slot >= 0 && arrays_.is_axis(element.atom)) {
                const bool of_right = i >= last || (i + 2 < rank && i + a_.dims.size() < rank) ||
                                      (i + 2 < rank && a_.dims[i + a_.dims.size() - rank].empty());
                axes[of_right ? 1 : 0] = &element;
            }
    if (axes[0] == nullptr || axes[1] == nullptr) throw Refusal{Text("its dimensions do not fit")};
    return arrays_.made(made, std::move(dims), axes);
}

}  // namespace blockscope::model
