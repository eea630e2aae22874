// Pictures of states, laid out on one worker thread (Graphviz is not thread-safe) and kept.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "app/document/content.h"
#include "app/layout/layout.h"
#include "app/layout/shape.h"

namespace blockscope {

// The picture of a state is a function of the content and its shape alone: the initial state (and every tidy
// one, and every 128th) is laid out afresh, each other one follows the picture of the state before it; then
// the folds are applied, and it is put in columns.
class Pictures : public QObject {
    Q_OBJECT

public:
    explicit Pictures(Measure measure, QObject* parent = nullptr);
    ~Pictures() override;  // stops the job that runs

    // `done` is called on this object's thread, now if the picture is known. A newer request with the same
    // `client` replaces an older one that is not done; its `done` is then never called.
    using Done = std::function<void(PicturePtr)>;
    void request(const void* client, const ContentPtr& content, StateId state, Done done,
                 const PictureShape& shape = {});
    // What the state would look like after `match`.
    void request_preview(const void* client, const ContentPtr& content, StateId state, const Match& match,
                         Done done, const PictureShape& shape = {});
    // A figure of its own, laid out afresh: an array program, a rule's example.
    void request_figure(const void* client, Figure figure, Done done);
    // Null unless known already.
    PicturePtr known(const ContentPtr& content, StateId state, const PictureShape& shape = {}) const;
    // Lays out and waits for it. For tests, exports and benchmarks.
    PicturePtr now(const ContentPtr& content, StateId state, const PictureShape& shape = {});
    // Nor is a layout that runs for it finished.
    void cancel(const void* client);

Q_SIGNALS:
    // How many thousandths of the pictures that follow one another up to the one that `client` waits for are
    // there.
    void progressed(const void* client, int permille);
    void failed(
        const QString& what);  // a picture could not be made: a broken invariant of the program itself

private:
    struct Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace blockscope
