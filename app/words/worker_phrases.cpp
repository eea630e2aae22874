// What a worker says of measurements and compilers that failed, and those who talk to it say of the worker.
// As in phrases.cpp, where two fit, the first counts.
#include "app/words/worker_phrases.h"

#include <QtGlobal>

namespace blockscope {

const std::vector<Phrase>& worker_sentences() {
    static const std::vector<Phrase> kSentences = {
        // A worker that is lost, and then nothing more is tried.
        {QT_TRANSLATE_NOOP("Core", "%1 The worker was lost %2 times in a row; nothing more is tried.")},
        {QT_TRANSLATE_NOOP("Core", "%1 The worker cannot be ended; the device does not respond.")},
        {QT_TRANSLATE_NOOP("Core", "The worker was lost %1 times in a row; nothing more is tried.")},
        {QT_TRANSLATE_NOOP("Core", "The worker cannot be ended; the device does not respond.")},
        {QT_TRANSLATE_NOOP("Core", "The worker ended while %1. It %2.")},
        {QT_TRANSLATE_NOOP("Core", "The worker ended while %1.")},
        {QT_TRANSLATE_NOOP("Core", "The worker cannot be started: %1.")},
        {QT_TRANSLATE_NOOP("Core", "The worker speaks another version of the protocol. It %1.")},
        {QT_TRANSLATE_NOOP("Core", "The worker speaks another version of the protocol.")},
        {QT_TRANSLATE_NOOP("Core", "The worker wrote a message without an end. It %1.")},
        {QT_TRANSLATE_NOOP("Core", "The worker wrote something that is no message. It %1.")},
        {QT_TRANSLATE_NOOP("Core", "The worker gave an answer to another question. It %1.")},
        {QT_TRANSLATE_NOOP("Core", "The worker was lost between two programs of a comparison.")},
        {QT_TRANSLATE_NOOP("Core", "The time limit of %1 for %2 was exceeded; the worker was ended.")},
        {QT_TRANSLATE_NOOP(
            "Core", "The time limit of %1 for %2 was exceeded: the worker does not listen, and was ended.")},
        {QT_TRANSLATE_NOOP("Core", "The measurement was cancelled.")},
        {QT_TRANSLATE_NOOP("Core", "The calibration was cancelled.")},
        // What it says itself.
        {QT_TRANSLATE_NOOP(
            "Core",
            "The result differs from the reference: element %1 of %2 is %3 and should be %4; the largest "
            "difference is %5 of the largest value, and %6 is allowed.")},
        {QT_TRANSLATE_NOOP("Core", "The machine has not enough memory for this program.")},
        {QT_TRANSLATE_NOOP("Core", "Internal error of the worker, please report it.")},
        {QT_TRANSLATE_NOOP("Core", "There is no device '%1' here; there is %2.")},
        {QT_TRANSLATE_NOOP("Core", "There is no target '%1'.")},
        {QT_TRANSLATE_NOOP("Core", "The processor takes inputs in f32 or bf16.")},
        {QT_TRANSLATE_NOOP("Core", "NVIDIA's run-time compiler is not there.")},
        {QT_TRANSLATE_NOOP("Core", "The kernels do not compile for %1.")},
        {QT_TRANSLATE_NOOP("Core", "The card failed while %1: %2.")},
        {QT_TRANSLATE_NOOP(
            "Core",
            "The kernel %1 has %2 thread blocks; a launch has 2147483647 at most. Choose larger "
            "blocks.")},
        {QT_TRANSLATE_NOOP("Core",
                           "The driver knows no tensor maps, which kernels for sm_90a need; it is older than "
                           "CUDA 12.")},
    };
    return kSentences;
}

const std::vector<Phrase>& worker_parts() {
    static const std::vector<Phrase> kParts = [] {
        std::vector<Phrase> parts = {
            // While ...
            {QT_TRANSLATE_NOOP("Core", "starting")},
            {QT_TRANSLATE_NOOP("Core", "preparing the program")},
            {QT_TRANSLATE_NOOP("Core", "checking the result")},
            {QT_TRANSLATE_NOOP("Core", "timing the program")},
            {QT_TRANSLATE_NOOP("Core", "comparing two programs")},
            {QT_TRANSLATE_NOOP("Core", "calibrating the device")},
            {QT_TRANSLATE_NOOP("Core", "compiling")},
            {QT_TRANSLATE_NOOP("Core", "releasing a program")},
            // It ...
            {QT_TRANSLATE_NOOP("Core", "was ended by signal %1 (%2)")},
            {QT_TRANSLATE_NOOP("Core", "exited with code %1")},
            {QT_TRANSLATE_NOOP("Core", "does not end even when killed")},
            // The card failed while ...
            {QT_TRANSLATE_NOOP("Core", "it was chosen")},
            {QT_TRANSLATE_NOOP("Core", "its context was made")},
            {QT_TRANSLATE_NOOP("Core", "its context was taken")},
            {QT_TRANSLATE_NOOP("Core", "a stream was made")},
            {QT_TRANSLATE_NOOP("Core", "an event was made")},
            {QT_TRANSLATE_NOOP("Core", "an event was recorded")},
            {QT_TRANSLATE_NOOP("Core", "kernels ran")},
            {QT_TRANSLATE_NOOP("Core", "time was taken")},
            {QT_TRANSLATE_NOOP("Core", "%1 bytes were allocated")},
            {QT_TRANSLATE_NOOP("Core", "inputs were copied to it")},
            {QT_TRANSLATE_NOOP("Core", "results were copied from it")},
            {QT_TRANSLATE_NOOP("Core", "memory was filled")},
            {QT_TRANSLATE_NOOP("Core", "outputs were filled")},
            {QT_TRANSLATE_NOOP("Core", "caches were flushed")},
            {QT_TRANSLATE_NOOP("Core", "the compiled kernels were loaded")},
            {QT_TRANSLATE_NOOP("Core", "the kernel %1 was looked up")},
            {QT_TRANSLATE_NOOP("Core", "the kernel %1 was started")},
            {QT_TRANSLATE_NOOP("Core", "%1 bytes of shared memory for %2 were asked for")},
            {QT_TRANSLATE_NOOP("Core", "an array was described for the copy engine")},
        };
        // Of the first two sentences.
        const std::vector<Phrase>& sentences = worker_sentences();
        parts.insert(parts.end(), sentences.begin() + 2, sentences.end());
        return parts;
    }();
    return kParts;
}

}  // namespace blockscope
