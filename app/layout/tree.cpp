#include "app/layout/tree.h"

namespace blockscope {

Tree::Tree(const Figure& figure) : containers_(figure.boxes.size() + 1) {
    containers_[0].children = figure.roots;
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        containers_[i + 1].box = static_cast<int>(i);
        containers_[i + 1].children = figure.boxes[i].children;
    }
    for (std::size_t i = 0; i < figure.edges.size(); ++i)
        containers_[static_cast<std::size_t>(figure.edges[i].container + 1)].edges.push_back(
            static_cast<int>(i));
}

}  // namespace blockscope
