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
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr int kAnchorEvery = 128;          // so that no picture needs a longer chain than this
constexpr std::size_t kMaxBoxes = 400000;  // kept, of all pictures together

// What a picture depends on: the program where its chain begins, the program itself, and the folds. Of both
// the graph alone: no size is in a picture, so that a slider of sizes changes none.
using Key = std::tuple<const Graph*, const Graph*, Folds>;

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
    std::deque<Key> order_;
    std::size_t boxes_ = 0;
};

}  // namespace

// One thread, one Layouter, a queue of jobs.
struct Pictures::Worker {
    struct Job {
        const void* client;
        std::uint64_t generation;
        ContentPtr content;
        StateId state;
        std::optional<Match> match;
        Done done;
        std::shared_ptr<std::promise<PicturePtr>> waiting;  // somebody waits for it on another thread
        std::shared_ptr<const Figure> figure = nullptr;     // instead of a state's
    };

    Worker(Pictures& owner_, Measure measure_) : owner(owner_), measure(std::move(measure_)) {
        thread = std::thread([this] {
            be_patient(Patience::Little);
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
        // A job before this one may have made it: then it is that very picture, the one known() gives.
        if (!job.match)
            if (PicturePtr made = store.find(key(content.history, job.state, content.folds))) return made;
        PicturePtr picture = unfolded(layouter, job);
        if (!picture) return nullptr;
        ProgramPtr program = content.history.state(job.state).program;
        if (job.match) {
            const Step step = checked_apply(program, *job.match);
            picture = follow(layouter, *picture, step);
            program = step.after;
        }
        if (content.folds.empty()) return picture;
        Picture folded{make_figure(*program, content.folds, measure), {}};
        folded.geometry = layouter.fold(folded.figure, *picture);
        PicturePtr result = std::make_shared<const Picture>(std::move(folded));
        if (!job.match) keep(content.history, job.state, content.folds, result);
        return result;
    }

    PicturePtr follow(Layouter& layouter, const Picture& before, const Step& step) {
        Picture next{make_figure(*step.after, {}, measure), {}};
        next.geometry = layouter.follow(next.figure, before, step.made);
        return std::make_shared<const Picture>(std::move(next));
    }

    PicturePtr unfolded(Layouter& layouter, const Job& job) {
        const History& history = job.content->history;
        const std::vector<const HistoryState*> way = chain(history, job.state);
        PicturePtr picture;
        std::size_t at = way.size();
        while (at > 0 && !picture) picture = store.find(key(history, way[--at]->id, {}));
        if (!picture) {
            Picture first{make_figure(*way.front()->program, {}, measure), {}};
            first.geometry = layouter.fresh(first.figure);
            picture = std::make_shared<const Picture>(std::move(first));
            keep(history, way.front()->id, {}, picture);
        }
        for (++at; at < way.size(); ++at) {
            if (stale(job)) return nullptr;
            picture = follow(layouter, *picture, *way[at]->step);
            keep(history, way[at]->id, {}, picture);
            tell_progress(job, at + 1, way.size());
        }
        return picture;
    }

    void tell_progress(const Job& job, std::size_t done, std::size_t all) {
        const auto permille = static_cast<int>(1000 * done / all);
        const auto tell = [this, client = job.client, generation = job.generation, permille] {
            if (!stale(client, generation)) Q_EMIT owner.progressed(client, permille);
        };
        QMetaObject::invokeMethod(&owner, tell, Qt::QueuedConnection);
    }

    static Key key(const History& history, StateId id, Folds folds) {
        return {chain(history, id).front()->program->graph.get(), history.state(id).program->graph.get(),
                std::move(folds)};
    }
    void keep(const History& history, StateId id, const Folds& folds, const PicturePtr& picture) {
        store.add(key(history, id, folds), chain(history, id).front()->program, history.state(id).program,
                  picture);
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

void Pictures::request(const void* client, const ContentPtr& content, StateId state, Done done) {
    if (PicturePtr picture = known(content, state)) {
        worker_->cancel(client);
        return done(picture);
    }
    worker_->post({client, 0, content, state, {}, std::move(done), {}});
}

void Pictures::request_preview(const void* client, const ContentPtr& content, StateId state,
                               const Match& match, Done done) {
    worker_->post({client, 0, content, state, match, std::move(done), {}});
}

void Pictures::request_figure(const void* client, Figure figure, Done done) {
    worker_->post(
        {client, 0, {}, 0, {}, std::move(done), {}, std::make_shared<const Figure>(std::move(figure))});
}

PicturePtr Pictures::known(const ContentPtr& content, StateId state) const {
    return worker_->store.find(Worker::key(content->history, state, content->folds));
}

PicturePtr Pictures::now(const ContentPtr& content, StateId state) {
    if (PicturePtr picture = known(content, state)) return picture;
    return worker_->wait_for({nullptr, 0, content, state, {}, {}, {}});
}

void Pictures::cancel(const void* client) {
    worker_->cancel(client);
}

}  // namespace blockscope
