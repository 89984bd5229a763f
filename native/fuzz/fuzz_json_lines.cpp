// JSON Lines of any bytes: every line is a text, a problem, or left out, whether lines are read
// together or one by one.
#include "../tests/support.hpp"
#include "wordsplit/text/json_lines.hpp"
#include "wordsplit/text/separated.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using support::fail;
  const std::string text(reinterpret_cast<const char*>(data), size);
  wordsplit::JsonLines together("text", "id"), alone("text", "id");
  const support::Exact copy(text);
  together.read(copy.data.get(), copy.n, true, true);
  std::size_t texts = 0, problems = 0;
  wordsplit::split_documents(text.data(), text.size(), "\n", [&](const char* p, std::size_t n) {
    const support::Exact line(std::string(p, n));
    alone.read(line.data.get(), line.n, true, true);
    for (std::size_t k = 0; k < alone.texts.size(); ++k) {
      if (alone.texts[k] != together.texts[texts + k]) fail("a text", text);
    }
    texts += alone.texts.size();
    problems += alone.problems.size();
  });
  if (texts != together.texts.size() || problems != together.problems.size()) {
    fail("their number", text);
  }
  if (texts + problems != together.lines) fail("a lost line", text);
  return 0;
}
