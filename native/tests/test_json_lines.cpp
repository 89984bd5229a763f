// The reader of JSON Lines, and the division of text at separators: known lines, and damaged ones
// under the sanitizers. tests/corpus/test_json_lines.py compares it with Python's json.
#include "support.hpp"
#include "wordsplit/text/json_lines.hpp"
#include "wordsplit/text/separated.hpp"

namespace {

using support::Exact;
using support::fail;
using support::Random;
using wordsplit::JsonLines;

// Reads from memory that ends with the text, so that a read past it is found.
void read(JsonLines& lines, const std::string& text, bool keep = true) {
  const Exact copy(text);
  lines.read(copy.data.get(), copy.n, keep, keep);
}

void known_lines() {
  JsonLines lines("text", "id");
  read(lines,
       "{\"id\": 7, \"text\": \"a\\n\\u00e9\\ud83e\\udee8\\ud83d\"}\n\n\"b\"\r\n"
       "{\"text\": null}\n{\"txt\": 1}\n{\"text\": \"c\"");
  if (lines.texts.size() != 3 || lines.texts[0] != "a\n\u00e9\U0001FAE8\uFFFD" ||
      lines.texts[1] != "b" || lines.texts[2] != "" || lines.keys[0] != "7") {
    fail("texts or keys", "");
  }
  if (lines.problems.size() != 2 || lines.problems[0].line != 4 || lines.lines != 5) {
    fail("problems", "");
  }
  read(lines, "\"\"\n{\"text\": null}", false);
  if (lines.texts.size() || lines.problems.size() || lines.lines != 2) fail("empty texts", "");
}

// Lines are read one by one as they are read together.
void random_lines(int rounds) {
  const char* const parts[] = {"{",
                               "}",
                               "[",
                               "]",
                               ",",
                               ":",
                               "\"",
                               "\\",
                               "\\u",
                               "d83d",
                               "\"text\"",
                               "\"id\"",
                               "null",
                               "true",
                               "1",
                               "-0.5e+3",
                               "NaN",
                               " ",
                               "\t",
                               "\n",
                               "\"text\":\"",
                               "\\ud83e\\udee8",
                               "\xFF",
                               "\x01",
                               "abcdefghijklmnopq"};
  Random random(1);
  JsonLines together("text", "id"), alone("text", "id");
  for (int i = 0; i < rounds; ++i) {
    std::string text;
    for (std::size_t k = random.below(30); k--;) text += parts[random.below(std::size(parts))];
    read(together, text);
    std::size_t texts = 0, problems = 0, at = 0;
    wordsplit::split_documents(text.data(), text.size(), "\n", [&](const char* p, std::size_t n) {
      read(alone, std::string(p, n));
      for (std::size_t k = 0; k < alone.texts.size(); ++k) {
        if (alone.texts[k] != together.texts[texts + k]) fail("a text", text);
      }
      texts += alone.texts.size();
      problems += alone.problems.size();
      ++at;
    });
    if (texts != together.texts.size() || problems != together.problems.size() ||
        at != together.line_ends) {
      fail("their number", text);
    }
  }
}

void separators() {
  const auto documents = [](std::string_view text, std::string_view separator) {
    std::string out;
    wordsplit::split_documents(text.data(), text.size(), separator,
                               [&](const char* p, std::size_t n) { out.append(p, n).append("|"); });
    return out;
  };
  if (documents("a\nb\r\n\nc", "\n") != "a|b||c|") fail("lines", "");
  if (documents("a--b----c--", "--") != "a|b||c|") fail("separators", "");
  if (documents("", "\n") != "" || documents("--", "--") != "|") fail("nothing", "");
}

}  // namespace

int main() {
  known_lines();
  random_lines(20000);
  separators();
}
