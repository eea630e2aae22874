#include "app/cli/guarded.h"

#include <unistd.h>

#include <iostream>
#include <new>

#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/problems.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

int fail(int code, const Problems& problems, const std::string& text, bool json) {
    if (json) std::cout << error_envelope(code, problems) << std::endl;
    print_problems(std::cerr, problems, text, style_for(STDERR_FILENO));
    return code;
}

}  // namespace

int fail(int code, const std::string& sentence, bool json) {
    return fail(code, {Problem{{}, sentence}}, {}, json);
}

int guarded(const std::function<int()>& command, bool json) {
    try {
        const int code = command();
        std::cout.flush();
        return std::cout ? code : fail(kInternal, "The output cannot be written.", false);
    } catch (const UsageError& error) {
        return fail(kUsage, error.what(), json);
    } catch (const NoDevice& error) {
        return fail(kNoDevice, error.what(), json);
    } catch (const BadInput& error) {
        return fail(kBadInput, error.problems(), error.text(), json);
    } catch (const InternalError& error) {
        return fail(kInternal, std::string("Internal error, please report it: ") + error.what(), json);
    } catch (const std::bad_alloc&) {
        return fail(kInternal, "Out of memory.", json);
    } catch (const std::exception& error) {
        return fail(kInternal, std::string("Internal error, please report it: ") + error.what(), json);
    }
}

}  // namespace blockscope::cli
