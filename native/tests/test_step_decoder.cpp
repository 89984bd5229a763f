// What is decoded is what the texts and bytes of tokens make, however the ids come in parts; what
// is not known is refused; threads may add tokens while others decode.
#include <thread>

#include "support.hpp"
#include "wordsplit/engine/step_decoder.hpp"

namespace {

using namespace wordsplit;
using support::fail;
using support::Ids;
using support::Random;
using Place = StepDecoder::Place;

constexpr std::size_t kIds = 600;

// The result of an id in these tests: bytes for every third one.
struct Model {
  explicit Model(Random& random) {
    for (std::size_t place = 0; place < 2; ++place) {
      for (std::size_t i = 0; i < kIds; ++i) {
        std::string& text = texts[place].emplace_back();
        if (i % 3 == 0) {
          text = static_cast<char>(i < 300 ? random.below(256) : 0xC0 + random.below(64));
        } else {
          const std::uint32_t size = random.below(20) ? random.below(6) : random.below(60);
          for (std::uint32_t n = size; n--;)
            text += random.below(4) ? "a" : random.below(2) ? " " : "中";
        }
      }
    }
  }
  static bool is_byte(std::uint32_t id) { return id % 3 == 0; }
  static bool is_special(std::uint32_t id) { return id % 7 == 0; }

  bool put(StepDecoder& decoder, std::size_t place, std::uint32_t id) const {
    const Place where = place ? Place::Later : Place::First;
    const std::string& text = texts[place][id];
    return is_byte(id)
               ? decoder.put_byte(where, id, is_special(id), static_cast<std::uint8_t>(text[0]))
               : decoder.put_text(where, id, is_special(id), text);
  }
  // In the plainest way; false if bytes are no characters.
  bool decode(const Ids& ids, bool skip, bool replace, std::string& out) const {
    std::string run;
    bool begun = false;
    const auto release = [&] {
      const bool valid = is_utf8(reinterpret_cast<const std::uint8_t*>(run.data()), run.size());
      if (!valid && !replace) return false;
      for (std::size_t i = 0; !valid && i < run.size(); ++i) out += "\xEF\xBF\xBD";
      if (valid) out += run;
      run.clear();
      return true;
    };
    for (const std::uint32_t id : ids) {
      if (skip && is_special(id)) continue;
      const std::string& text = texts[begun ? 1 : 0][id];
      begun = true;
      if (is_byte(id)) {
        run += text;
        continue;
      }
      if (!release()) return false;
      out += text;
    }
    return release();
  }

  std::vector<std::string> texts[2];
};

bool decode(const StepDecoder& decoder, const Ids& ids, bool skip, bool replace, Random& random,
            std::string& out) {
  StepDecoder::Call call(decoder, skip, replace);
  for (std::size_t at = 0; at < ids.size();) {
    const std::size_t part = std::min<std::size_t>(ids.size() - at, random.below(9));
    const Ids exact(ids.begin() + static_cast<std::ptrdiff_t>(at),
                    ids.begin() + static_cast<std::ptrdiff_t>(at + part));
    if (!call.add(exact.data(), part)) return false;
    at += part;
  }
  std::string_view text;
  if (!call.finish(text)) return false;
  out = text;
  return true;
}

void test_random() {
  Random random(1);
  const Model model(random);
  StepDecoder decoder(kIds);
  for (std::size_t place = 0; place < 2; ++place) {
    for (std::uint32_t i = 0; i < kIds; ++i) {
      if (!model.put(decoder, place, i) || !model.put(decoder, place, i)) fail("put", "");
    }
  }
  for (int round = 0; round < 20000; ++round) {
    Ids ids(random.below(random.below(10) ? 12 : 600));
    const std::uint32_t step = random.below(3) ? 1 : 3;  // only bytes
    for (std::uint32_t& id : ids) id = step * random.below(kIds / step);
    const bool skip = random.below(2), replace = random.below(2);
    std::string want, got;
    const bool can = model.decode(ids, skip, replace, want);
    if (decode(decoder, ids, skip, replace, random, got) != can)
      fail("refused or not", want, round);
    if (can && got != want) fail("decoded", got, round);
  }
}

void test_unknown() {
  StepDecoder decoder(3);
  Random random(2);
  std::string out;
  if (decoder.put_text(Place::First, 3, false, "a") ||
      decoder.put_byte(Place::Later, 1ULL << 40, false, 1)) {
    fail("an id out of range", "");
  }
  decoder.put_text(Place::First, 0, false, "a");
  decoder.put_text(Place::First, 0, false, "b");  // what is known stays
  if (!decode(decoder, {0}, false, true, random, out) || out != "a") fail("the first", out);
  for (const Ids& ids : {Ids{0, 0}, Ids{1}, Ids{3}, Ids{0xFFFFFFFF}}) {
    if (decode(decoder, ids, false, true, random, out)) fail("what is not known", out);
  }
  if (!decode(decoder, {}, false, true, random, out) || !out.empty()) fail("nothing", out);
}

void test_changes() {
  const auto changed = [](const std::string& text, auto&& add) {
    StepDecoder decoder(1);
    add(decoder);
    decoder.put_text(Place::First, 0, false, text);
    Random random(3);
    std::string out;
    if (!decode(decoder, {0}, false, true, random, out)) fail("changes", text);
    return out;
  };
  const auto expect = [](const std::string& got, const std::string& want) {
    if (got != want) fail("changed", got);
  };
  expect(changed("  a ", [](auto& d) { d.then_strip(" ", 1, 0); }), " a ");
  expect(changed("  a ", [](auto& d) { d.then_strip(" ", 9, 9); }), "a");
  expect(changed("   ", [](auto& d) { d.then_strip(" ", 2, 2); }), "");
  expect(changed("中a中", [](auto& d) { d.then_strip("中", 1, 1); }), "a");
  expect(changed("", [](auto& d) { d.then_strip("中", 1, 1); }), "");
  expect(changed("aaa", [](auto& d) { d.then_replace("aa", "b"); }), "ba");
  expect(changed("中文中", [](auto& d) { d.then_replace("中", ""); }), "文");
  expect(changed(std::string(50, 'a'),
                 [](auto& d) {
                   for (int i = 0; i < 20; ++i)
                     d.then_replace("a", "bb"), d.then_replace("bb", "a");
                   d.then_replace("a", "c");
                   d.then_strip("c", 10, 30);
                 }),
         std::string(10, 'c'));
}

void test_threads() {
  Random random(4);
  const Model model(random);
  StepDecoder decoder(kIds);
  std::vector<std::thread> threads;
  for (std::uint64_t n = 0; n < 4; ++n) {
    threads.emplace_back([&, n] {
      Random own(n);
      for (int round = 0; round < 2000; ++round) {
        const Ids ids = {own.below(kIds), own.below(kIds)};
        std::string want, got;
        model.decode(ids, false, true, want);
        if (!decode(decoder, ids, false, true, own, got)) {
          model.put(decoder, 0, ids[0]);
          model.put(decoder, 1, ids[1]);
          if (!decode(decoder, ids, false, true, own, got)) fail("put and not found", "");
        }
        if (got != want) fail("with threads", got);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main() {
  test_random();
  test_unknown();
  test_changes();
  test_threads();
}
