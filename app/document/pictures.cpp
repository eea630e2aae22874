#include "app/document/pictures.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "app/document/work.h"
#include "core/state/state.h"
#include "core/story/program_names.h"
#include "core/story/recognised.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr int kAnchorEvery = 128;          // so that no picture needs a longer chain than this
constexpr std::size_t kMaxBoxes = 400000;  // kept, of all pictures together
constexpr std::size_t kMaxFlows = 1000;
constexpr std::size_t kMaxColumns = 5000;  // states whose columns are known
constexpr std::size_t kTooMany = 1500;     // boxes of a program that is laid out one way only
constexpr double kAsLarge = 1.05;          // a picture that is not larger by this is as large

// What a picture depends on: the program where its chain begins, the program itself, the folds and the shape.
// Of both programs the graph alone: no size is in a picture, so that a slider of sizes changes none.
struct PictureForm {
    Flow flow = Flow::Down;
    Size room;
    bool laid_out = true;  // one column from top to bottom, as the next picture follows it
    bool safe = false;     // of the numerically safe form
    double whole = 0;      // in the way in which all of it is largest
    bool chosen = false;   // of those in a way that the user has chosen
    auto operator<=>(const PictureForm& other) const {
        const auto all = [](const PictureForm& form) {
            return std::tuple(form.flow, form.room.width, form.room.height, form.laid_out, form.safe,
                              form.whole, form.chosen);
        };
        return all(*this) <=> all(other);
    }
    bool operator==(const PictureForm& other) const { return (*this <=> other) == 0; }
};
using Key = std::tuple<const Graph*, const Graph*, Folds, PictureForm, Shifts>;

bool is_plain(const PictureForm& form) {
    return form.flow == Flow::Down && form.room.width <= 0;
}

// Without columns and a turn a picture is shown as it is laid out.
PictureForm shown_form(Flow flow, const PictureShape& shape) {
    const PictureForm form{flow,       shape.room,  false,
                           shape.safe, shape.whole, shape.whole > 0 && shape.flow.has_value()};
    return is_plain(form) && !form.safe ? PictureForm{} : form;
}
PictureForm laid_out_form(Flow flow) {
    return {.flow = flow, .room = {}, .laid_out = true};
}

// The way from the anchor, which is laid out afresh, to the state: each picture follows the one before it.
std::vector<const HistoryState*> chain(const History& history, StateId id) {
    std::vector<const HistoryState*> way;
    int depth = history.depth(id);
    for (StateId at = id; at >= 0; --depth) {
        const HistoryState& state = history.state(at);
        way.push_back(&state);
        if (state.tidy || depth % kAnchorEvery == 0) break;
        at = state.parent;
    }
    return {way.rbegin(), way.rend()};
}

// Pictures that are known, the oldest of them dropped when they become too many. Used by all threads.
class PictureStore {
public:
    PicturePtr find(const Key& key) const {
        const std::lock_guard lock(mutex_);
        const auto it = entries_.find(key);
        return it == entries_.end() ? nullptr : it->second.picture;
    }

    // Which way the edges of a history's pictures run in a view of this extent, once that is known.
    std::optional<Flow> flow(const Graph* initial, const Size& room) const {
        const std::lock_guard lock(mutex_);
        const auto it = flows_.find({initial, room.width, room.height});
        return it == flows_.end() ? std::nullopt : std::optional(it->second.second);
    }
    void set_flow(const ProgramPtr& initial, const Size& room, Flow flow) {
        const std::lock_guard lock(mutex_);
        if (flows_.size() >= kMaxFlows) flows_.clear();
        flows_[{initial->graph.get(), room.width, room.height}] = {initial, flow};
    }

    void add(const Key& key, const ProgramPtr& anchor, const ProgramPtr& program, PicturePtr picture) {
        const std::lock_guard lock(mutex_);
        const std::size_t boxes = picture->figure.boxes.size() + 1;
        if (!entries_.emplace(key, Entry{anchor, program, std::move(picture)}).second) return;
        boxes_ += boxes;
        order_.push_back(key);
        while (boxes_ > kMaxBoxes && order_.size() > 2) {
            const auto oldest = entries_.find(order_.front());
            boxes_ -= oldest->second.picture->figure.boxes.size() + 1;
            entries_.erase(oldest);
            order_.pop_front();
        }
    }

private:
    struct Entry {
        ProgramPtr anchor, program;  // their graphs alive, so that the key's pointers stay theirs
        PicturePtr picture;
    };
    mutable std::mutex mutex_;
    std::map<Key, Entry> entries_;
    std::map<std::tuple<const Graph*, double, double>, std::pair<ProgramPtr, Flow>> flows_;
    std::deque<Key> order_;
    std::size_t boxes_ = 0;
};

}  // namespace

// One thread, one Layouter, a queue of jobs.
struct Pictures::Worker {
    struct Job {
        const void* client = nullptr;
        std::uint64_t generation = 0;
        ContentPtr content = {};
        StateId state = 0;
        std::optional<Match> match = {};
        PictureShape shape = {};
        Done done = {};
        std::shared_ptr<std::promise<PicturePtr>> waiting = {};  // somebody waits for it on another thread
        std::shared_ptr<const Figure> figure = {};               // instead of a state's
    };

    Worker(Pictures& owner_, Measure measure_) : owner(owner_), measure(std::move(measure_)) {
        thread = std::thread([this] {
            lower_priority(Priority::Picture);
            run();
        });
    }
    ~Worker() {
        {
            const std::lock_guard lock(mutex);
            stopping = abandoned = true;
        }
        wake.notify_all();
        thread.join();
    }

    void post(Job job) {
        {
            const std::lock_guard lock(mutex);
            job.generation = ++last_generation;
            generations[job.client] = job.generation;
            std::erase_if(jobs, [&](const Job& old) { return old.client == job.client; });
            jobs.push_back(std::move(job));
        }
        wake.notify_all();
    }
    PicturePtr wait_for(Job job) {
        job.waiting = std::make_shared<std::promise<PicturePtr>>();
        job.client = job.waiting.get();  // nobody else's, so that nothing replaces it
        std::future<PicturePtr> picture = job.waiting->get_future();
        post(std::move(job));
        return picture.get();
    }
    void cancel(const void* client) {
        const std::lock_guard lock(mutex);
        generations.erase(client);
        std::erase_if(jobs, [&](const Job& old) { return old.client == client; });
        if (client == running) abandoned = true;
    }
    bool stale(const Job& job) { return stale(job.client, job.generation); }
    bool stale(const void* client, std::uint64_t generation) {
        const std::lock_guard lock(mutex);
        const auto newest = generations.find(client);
        return stopping || newest == generations.end() || newest->second != generation;
    }

    void run() {
        Layouter layouter(StopSign([this] { return abandoned.load(); }));
        for (;;) {
            Job job;
            {
                std::unique_lock lock(mutex);
                wake.wait(lock, [&] { return stopping || !jobs.empty(); });
                if (stopping) return;
                job = std::move(jobs.front());
                jobs.pop_front();
                running = job.client;
                abandoned = false;
            }
            serve(layouter, std::move(job));
        }
    }

    void serve(Layouter& layouter, Job job) {
        try {
            PicturePtr picture = stale(job) ? nullptr : make(layouter, job);
            if (job.waiting) {
                cancel(job.client);
                job.waiting->set_value(picture);
            } else if (picture) {
                deliver(std::move(job), std::move(picture));
            }
        } catch (const Stopped&) {
            if (job.waiting) job.waiting->set_value(nullptr);  // the program closes
        } catch (const std::exception& error) {
            if (job.waiting) return job.waiting->set_exception(std::current_exception());
            const auto tell = [this, what = QString::fromUtf8(error.what())] { Q_EMIT owner.failed(what); };
            QMetaObject::invokeMethod(&owner, tell, Qt::QueuedConnection);
        }
    }

    // Null if a newer request made this one stale.
    PicturePtr make(Layouter& layouter, const Job& job) {
        if (job.figure)
            return std::make_shared<const Picture>(Picture{*job.figure, layouter.fresh(*job.figure)});
        const Content& content = *job.content;
        const Flow flow = flow_of(layouter, content, job.shape);
        const PictureForm form = shown_form(flow, job.shape);
        // A job before this one may have made it: then it is that very picture, the one known() gives.
        if (!job.match)
            if (PicturePtr made =
                    store.find(key(content.history, job.state, content.folds, form, content.moved)))
                return made;
        PicturePtr picture = job.shape.whole > 0 && !form.laid_out
                                 ? largest(layouter, job, form)
                                 : arranged(layouter, job, flow, form.laid_out, false);
        if (!picture) return nullptr;
        if (!content.moved.empty()) {
            Picture moved = *picture;
            shift_boxes(moved, content.moved);
            picture = std::make_shared<const Picture>(std::move(moved));
        }
        if (!job.match) keep(content.history, job.state, content.folds, form, picture, content.moved);
        return picture;
    }

    // The picture of a job in this way: `as_laid_out` without columns and a turn, else with maps in columns
    // of safe forms, and of all states where it is to `fit`. Null if the job is stale.
    PicturePtr arranged(Layouter& layouter, const Job& job, Flow flow, bool as_laid_out, bool fit) {
        const Content& content = *job.content;
        const Size room = job.shape.room;
        PicturePtr picture = unfolded(layouter, job, flow);
        if (!picture) return nullptr;
        Columns columns = columns_on_the_way(content.history, job.state, flow, room);
        ProgramPtr program = content.history.state(job.state).program;
        BoxNames names;
        if (!job.match && (job.shape.safe || !content.folds.empty()))
            names = names_of(content, job.state, nullptr);
        if (job.match) {
            const Step step = checked_apply(program, *job.match);
            names = names_of(content, job.state, &step);
            picture = follow(layouter, *picture, step, names, flow);
            program = step.after;
            columns = columns_of(*picture, flow, room, columns, step.made);
        }
        Folds folds = content.folds;
        const ProgramPtr source = program;
        if (job.shape.safe) {
            const State safe(program, safe_form());
            picture = safe_picture(layouter, std::move(picture), safe, names, flow);
            columns = columns_of(*picture, flow, room, columns, safe.made());
            for (const Lineage& line : safe.made())
                if (!line.from.empty() && folds.count(line.from.front()) > 0) folds.insert(line.made);
            program = safe.program();
        }
        if (!folds.empty()) {
            Picture folded{figure_of(*program, folds, names, flow), {}};
            folded.geometry = layouter.fold(folded.figure, *picture);
            if (job.shape.safe) find_origins(folded.figure, State(source, safe_form()));
            picture = std::make_shared<const Picture>(std::move(folded));
            columns = columns_of(*picture, flow, room, columns, {});
        }
        if (as_laid_out) return picture;
        if (fit || job.shape.safe) {
            picture = std::make_shared<const Picture>(fit ? wrapped_to_fit(layouter, *picture, flow, room)
                                                          : wrapped_inside(layouter, *picture, flow, room));
            columns = columns_of(*picture, flow, room, columns, {});
        }
        return std::make_shared<const Picture>(shaped(*picture, flow, columns));
    }

    // Of the ways, with and without columns inside of maps, the first that the view shows whole, else the one
    // that it shows largest. The way of the picture before, and plain maps, come first, so that blocks keep
    // their places.
    PicturePtr largest(Layouter& layouter, const Job& job, const PictureForm& form) {
        constexpr double kMuchLarger = 1.15;
        const Flow first = job.shape.flow ? form.flow : way_before(job, form);
        PicturePtr best;
        double scale = 0;
        for (const Flow way : {first, first == Flow::Down ? Flow::Right : Flow::Down}) {
            const bool turns = way != first;
            if (turns && (job.shape.flow || scale >= job.shape.whole)) break;
            for (const bool fit : {false, true}) {
                PicturePtr tried = arranged(layouter, job, way, false, fit);
                if (!tried) return nullptr;
                const double now = fitting_scale(tried->geometry.bounds, job.shape.room);
                const bool much = turns && now < job.shape.whole;
                if (now < (much ? kMuchLarger : kAsLarge) * scale) continue;
                best = std::move(tried);
                scale = now;
                if (scale >= 1 || best->figure.boxes.size() > kTooMany) return best;
            }
        }
        return best;
    }

    // Of the state before, where its picture is there.
    Flow way_before(const Job& job, const PictureForm& form) {
        const Content& content = *job.content;
        const StateId before = job.match ? job.state : content.history.state(job.state).parent;
        if (before < 0) return form.flow;
        const PicturePtr known = store.find(key(content.history, before, content.folds, form, content.moved));
        return known ? known->geometry.flow : form.flow;
    }

    // The names of the arrays in a state, or in what comes after `step` from there. None of very long runs.
    BoxNames names_of(const Content& content, StateId id, const Step* step) {
        constexpr int kLongest = 300;
        constexpr int kLargest = 3000;  // nodes
        const History& history = content.history;
        const ProgramPtr& program = step ? step->after : history.state(id).program;
        if (!content.array || history.depth(id) > kLongest || node_count(*program) > kLargest) return {};
        ArrayNames names = array_names(content, id);
        if (step) names.advance(*step);
        return ProgramNames(program, std::move(names)).map_names();
    }

    const ArrayNames& array_names(const Content& content, StateId id) {
        constexpr std::size_t kMostNamed = 400;
        const History& history = content.history;
        std::vector<const HistoryState*> way;
        auto known = named.end();
        for (StateId at = id; at >= 0 && known == named.end(); at = history.state(at).parent) {
            known = named.find(history.state(at).program);
            if (known == named.end()) way.push_back(&history.state(at));
        }
        ArrayNames names = known == named.end() ? ArrayNames() : known->second;
        if (way.empty()) return known->second;
        if (named.size() + way.size() > kMostNamed) named.clear();
        for (auto state = way.rbegin(); state != way.rend(); ++state) {
            if ((*state)->step)
                names.advance(*(*state)->step);
            else
                names =
                    ArrayNames(*content.array, to_block_program(*content.array).origins, *(*state)->program);
            named.insert_or_assign((*state)->program, names);
        }
        return named.at(history.state(id).program);
    }

    // What the safe form makes of a picture: blocks stay where they are, and it has the names of online
    // softmax. `names` become those of its own nodes.
    PicturePtr safe_picture(Layouter& layouter, PicturePtr plain, const State& safe, BoxNames& names,
                            Flow flow) {
        if (safe.program() == safe.source()) return plain;
        BoxNames made = online_names(safe);
        for (const Lineage& line : safe.made())
            if (const auto name = names.find(safe.origin(line.made)); name != names.end())
                made.emplace(line.made, name->second);
        names.merge(made);
        Picture picture{figure_of(*safe.program(), {}, names, flow), {}};
        picture.geometry = layouter.follow(picture.figure, *plain, safe.made());
        find_origins(picture.figure, safe);
        keep_safe(safe);
        return std::make_shared<const Picture>(std::move(picture));
    }

    // Nodes of the state itself are found where their last one in the safe form is.
    static void find_origins(Figure& figure, const State& safe) {
        std::map<NodeId, int> boxes;
        for (const Lineage& line : safe.made())
            if (const int box = figure.find(line.made); box >= 0) boxes[safe.origin(line.made)] = box;
        for (const auto& [node, box] : boxes) figure.box_of.emplace(node.value, box);
    }

    // So that what the safe form is made of is there for those who look at it.
    void keep_safe(const State& safe) {
        constexpr std::size_t kMostSafe = 50;
        if (safe_states.size() >= kMostSafe) safe_states.pop_front();
        safe_states.push_back(safe);
    }

    Figure figure_of(const BlockProgram& program, const Folds& folds, const BoxNames& names,
                     Flow flow) const {
        Figure figure = make_figure(program, folds, measure, names);
        if (flow == Flow::Right) lay_on_side(figure);
        return figure;
    }

    PicturePtr follow(Layouter& layouter, const Picture& before, const Step& step, const BoxNames& names,
                      Flow flow) {
        Picture next{figure_of(*step.after, {}, names, flow), {}};
        next.geometry = layouter.follow(next.figure, before, step.made);
        return std::make_shared<const Picture>(std::move(next));
    }

    PicturePtr first_of_chain(Layouter& layouter, const Content& content, StateId anchor, Flow flow) {
        const History& history = content.history;
        if (PicturePtr known = store.find(key(history, anchor, {}, laid_out_form(flow)))) return known;
        Picture first{figure_of(*history.state(anchor).program, {}, names_of(content, anchor, nullptr), flow),
                      {}};
        first.geometry = layouter.fresh(first.figure);
        auto picture = std::make_shared<const Picture>(std::move(first));
        keep(history, anchor, {}, laid_out_form(flow), picture);
        return picture;
    }

    // The way in which the first picture of a program is larger in the view; of two that are as large the one
    // without columns, and with columns the one along the view's longer side.
    Flow flow_of(Layouter& layouter, const Content& content, const PictureShape& shape) {
        const History& history = content.history;
        if (shape.flow) return *shape.flow;
        const ProgramPtr& initial = history.state(0).program;
        const Size& room = shape.room;
        if (const auto known = store.flow(initial->graph.get(), room)) return *known;
        Flow flow = Flow::Down;
        const PicturePtr down = first_of_chain(layouter, content, 0, Flow::Down);
        if (down->figure.boxes.size() <= kTooMany && fitting_scale(down->geometry.bounds, room) < 1) {
            const PicturePtr right = first_of_chain(layouter, content, 0, Flow::Right);
            const auto scale = [&](const Picture& picture, Flow way) {
                const Columns columns = columns_of(picture, way, room, {}, {});
                return fitting_scale(shaped(picture, way, columns).geometry.bounds, room);
            };
            const double as_down = scale(*down, Flow::Down), as_right = scale(*right, Flow::Right);
            const bool alike = as_right < kAsLarge * as_down && as_down < kAsLarge * as_right;
            if (alike ? room.width > room.height : as_right > as_down) flow = Flow::Right;
        }
        store.set_flow(initial, room, flow);
        return flow;
    }

    PicturePtr unfolded(Layouter& layouter, const Job& job, Flow flow) {
        const History& history = job.content->history;
        const std::vector<const HistoryState*> way = chain(history, job.state);
        PicturePtr picture;
        std::size_t at = way.size();
        while (at > 0 && !picture) picture = store.find(key(history, way[--at]->id, {}, laid_out_form(flow)));
        if (!picture) picture = first_of_chain(layouter, *job.content, way.front()->id, flow);
        for (++at; at < way.size(); ++at) {
            if (stale(job)) return nullptr;
            picture = follow(layouter, *picture, *way[at]->step, names_of(*job.content, way[at]->id, nullptr),
                             flow);
            keep(history, way[at]->id, {}, laid_out_form(flow), picture);
            tell_progress(job, at + 1, way.size());
        }
        return picture;
    }

    // Those of the states before are kept while they are good. A picture that is not kept any more has none.
    Columns columns_on_the_way(const History& history, StateId id, Flow flow, const Size& room) {
        if (room.width <= 0) return {};
        Columns columns;
        const PictureForm form{.flow = flow, .room = room, .laid_out = false};
        for (const HistoryState* state : chain(history, id)) {
            const Key key = Worker::key(history, state->id, {}, form);
            const auto known = columns_known.find(key);
            if (known != columns_known.end()) {
                columns = known->second.second;
                continue;
            }
            const PicturePtr picture = store.find(Worker::key(history, state->id, {}, laid_out_form(flow)));
            if (!picture) return {};
            columns = columns_of(*picture, flow, room, columns,
                                 state->step ? state->step->made : std::vector<Lineage>());
            if (columns_known.size() >= kMaxColumns) columns_known.clear();
            columns_known.emplace(key, std::pair(state->program, columns));
        }
        return columns;
    }

    void tell_progress(const Job& job, std::size_t done, std::size_t all) {
        const auto permille = static_cast<int>(1000 * done / all);
        const auto tell = [this, client = job.client, generation = job.generation, permille] {
            if (!stale(client, generation)) Q_EMIT owner.progressed(client, permille);
        };
        QMetaObject::invokeMethod(&owner, tell, Qt::QueuedConnection);
    }

    static Key key(const History& history, StateId id, Folds folds, const PictureForm& form,
                   Shifts moved = {}) {
        return {chain(history, id).front()->program->graph.get(), history.state(id).program->graph.get(),
                std::move(folds), form, std::move(moved)};
    }
    void keep(const History& history, StateId id, const Folds& folds, const PictureForm& form,
              const PicturePtr& picture, const Shifts& moved = {}) {
        store.add(key(history, id, folds, form, moved), chain(history, id).front()->program,
                  history.state(id).program, picture);
    }

    void deliver(Job job, PicturePtr picture) {
        const auto hand_over = [this, job = std::move(job), picture = std::move(picture)] {
            if (stale(job)) return;
            cancel(job.client);
            job.done(picture);
        };
        QMetaObject::invokeMethod(&owner, hand_over, Qt::QueuedConnection);
    }

    Pictures& owner;
    Measure measure;
    PictureStore store;
    std::map<Key, std::pair<ProgramPtr, Columns>> columns_known;  // with what the key points to
    std::map<ProgramPtr, ArrayNames> named;                       // by state; keeps the programs
    std::deque<State> safe_states;                                // that are shown, the last ones
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Job> jobs;
    std::map<const void*, std::uint64_t> generations;  // of each client's newest job that is not done
    std::uint64_t last_generation = 0;
    const void* running = nullptr;        // the client of the job that runs, or ran last
    std::atomic<bool> abandoned = false;  // that job; a newer request alone lets it finish, as it follows it
    bool stopping = false;
    std::thread thread;
};

Pictures::Pictures(Measure measure, QObject* parent)
    : QObject(parent), worker_(std::make_unique<Worker>(*this, std::move(measure))) {}
Pictures::~Pictures() = default;

void Pictures::request(const void* client, const ContentPtr& content, StateId state, Done done,
                       const PictureShape& shape) {
    if (PicturePtr picture = known(content, state, shape)) {
        worker_->cancel(client);
        return done(picture);
    }
    worker_->post(
        {.client = client, .content = content, .state = state, .shape = shape, .done = std::move(done)});
}

void Pictures::request_preview(const void* client, const ContentPtr& content, StateId state,
                               const Match& match, Done done, const PictureShape& shape) {
    worker_->post({.client = client,
                   .content = content,
                   .state = state,
                   .match = match,
                   .shape = shape,
                   .done = std::move(done)});
}

void Pictures::request_figure(const void* client, Figure figure, Done done) {
    worker_->post({.client = client,
                   .done = std::move(done),
                   .figure = std::make_shared<const Figure>(std::move(figure))});
}

PicturePtr Pictures::known(const ContentPtr& content, StateId state, const PictureShape& shape) const {
    const History& history = content->history;
    const std::optional<Flow> flow =
        shape.flow ? shape.flow : worker_->store.flow(history.state(0).program->graph.get(), shape.room);
    if (!flow) return nullptr;
    return worker_->store.find(
        Worker::key(history, state, content->folds, shown_form(*flow, shape), content->moved));
}

PicturePtr Pictures::now(const ContentPtr& content, StateId state, const PictureShape& shape) {
    if (PicturePtr picture = known(content, state, shape)) return picture;
    return worker_->wait_for({.content = content, .state = state, .shape = shape});
}

void Pictures::cancel(const void* client) {
    worker_->cancel(client);
}

}  // namespace blockscope
