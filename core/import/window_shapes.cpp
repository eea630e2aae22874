#include "core/import/window_shapes.h"

#include <algorithm>

namespace blockscope::model {

namespace {

constexpr std::int64_t kMostExtent = std::int64_t{1} << 31;

// One number for each spatial axis: of an attribute, or the same for all.
std::optional<Sizes> for_each_axis(const GraphNode& node, const char* name, std::size_t axes,
                                   std::int64_t usual, std::int64_t least) {
    Sizes numbers = list_attribute(node, name).value_or(Sizes(axes, usual));
    const bool fine = std::all_of(numbers.begin(), numbers.end(),
                                  [&](std::int64_t n) { return n >= least && n <= kMostExtent; });
    if (!fine || numbers.size() != axes) return std::nullopt;
    return numbers;
}

struct Windows {
    Sizes window, steps, spacing;  // by spatial axis
    Sizes pads;                    // before each axis, then after each
    std::string automatic;         // pads that follow from the sizes, as the standard names them
    bool rounds_up = false;
};

std::optional<Windows> windows_of(const GraphNode& node, Sizes window) {
    const std::size_t axes = window.size();
    const auto steps = for_each_axis(node, "strides", axes, 1, 1);
    const auto spacing = for_each_axis(node, "dilations", axes, 1, 1);
    const auto pads = for_each_axis(node, "pads", 2 * axes, 0, 0);
    const bool fine =
        std::all_of(window.begin(), window.end(), [](std::int64_t n) { return n >= 1 && n <= kMostExtent; });
    const std::string automatic = text_attribute(node, "auto_pad", "NOTSET");
    const bool known = automatic == "NOTSET" || automatic == "VALID" || automatic == "SAME_UPPER" ||
                       automatic == "SAME_LOWER";
    if (!fine || !known || !steps || !spacing || !pads) return std::nullopt;
    return Windows{.window = std::move(window),
                   .steps = *steps,
                   .spacing = *spacing,
                   .pads = *pads,
                   .automatic = automatic,
                   .rounds_up = whole_attribute(node, "ceil_mode", 0) != 0 && automatic == "NOTSET"};
}

// How many places a window has along an axis.
std::optional<std::int64_t> places(const Windows& windows, std::size_t axis, std::int64_t size) {
    const std::int64_t step = windows.steps[axis];
    if (size > kMostExtent) return std::nullopt;
    if (windows.automatic == "SAME_UPPER" || windows.automatic == "SAME_LOWER")
        return (size + step - 1) / step;
    const bool padded = windows.automatic != "VALID";
    const std::int64_t pads = padded ? windows.pads[axis] + windows.pads[axis + windows.window.size()] : 0;
    // Both factors are at most 2^31.
    const std::int64_t seen = windows.spacing[axis] * (windows.window[axis] - 1) + 1;
    const std::int64_t room = size + pads - seen;
    if (room < 0) return std::nullopt;
    const std::int64_t count = (room + (windows.rounds_up ? step - 1 : 0)) / step + 1;
    // A last window that would begin behind the image and what is before it is none.
    const bool behind = windows.rounds_up && (count - 1) * step >= size + windows.pads[axis];
    return behind ? count - 1 : count;
}

std::optional<Sizes> moved(const Windows& windows, const Sizes& image, std::int64_t channels) {
    Sizes made = {image[0], channels};
    for (std::size_t axis = 0; axis < windows.window.size(); ++axis) {
        const std::optional<std::int64_t> count = places(windows, axis, image[axis + 2]);
        if (!count) return std::nullopt;
        made.push_back(*count);
    }
    return made;
}

}  // namespace

std::optional<Sizes> convolved_sizes(const GraphNode& node, const Sizes& image, const Sizes& weight) {
    const std::int64_t groups = whole_attribute(node, "group", 1);
    if (image.size() < 3 || weight.size() != image.size() || groups < 1 || image[1] % groups != 0 ||
        weight[1] != image[1] / groups)
        return std::nullopt;
    const Sizes window(weight.begin() + 2, weight.end());
    const std::optional<Windows> windows = windows_of(node, window);
    if (!windows || list_attribute(node, "kernel_shape").value_or(window) != window) return std::nullopt;
    return moved(*windows, image, weight[0]);
}

std::optional<Sizes> pooled_sizes(const GraphNode& node, const Sizes& image) {
    const std::optional<Sizes> window = list_attribute(node, "kernel_shape");
    if (!window || image.size() < 3 || window->size() + 2 != image.size()) return std::nullopt;
    const std::optional<Windows> windows = windows_of(node, *window);
    if (!windows) return std::nullopt;
    return moved(*windows, image, image[1]);
}

bool is_pointwise(const GraphNode& node, const Sizes& weight) {
    if (weight.size() < 3 || whole_attribute(node, "group", 1) != 1) return false;
    const std::optional<Windows> windows = windows_of(node, Sizes(weight.begin() + 2, weight.end()));
    const auto all = [](const Sizes& numbers, std::int64_t number) {
        return std::all_of(numbers.begin(), numbers.end(), [&](std::int64_t n) { return n == number; });
    };
    return windows && all(windows->window, 1) && all(windows->steps, 1) && all(windows->pads, 0);
}

}  // namespace blockscope::model
