// Python bindings of engine/.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include "module.hpp"
#include "py_engine.hpp"
#include "quick_method.hpp"
#include "wordsplit/text/character_trie.hpp"
#include "wordsplit/text/map_behind_steps.hpp"
#include "wordsplit/text/map_keys.hpp"
#include "wordsplit/text/word_map_file.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::EngineArguments;
using bindings::PyEngine;

namespace {

std::set<std::uint32_t> places_of(const std::vector<bool>& bits) {
  std::set<std::uint32_t> out;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) out.insert(out.end(), static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace

void bind_engine(nb::module_& m) {
  // Types of their own, since the handler of a signal may raise any other during a call.
  nb::exception<std::length_error>(m, "TooLong", PyExc_ValueError);
  nb::exception<MissingByte> missing_byte(m, "MissingByte", PyExc_KeyError);
  nb::register_exception_translator(
      [](const std::exception_ptr& p, void* missing) {
        try {
          std::rethrow_exception(p);
        } catch (const MissingByte& error) {
          PyErr_SetObject(static_cast<PyObject*>(missing), nb::cast(error.byte).ptr());
        } catch (const Interrupted&) {  // Python's error is set
        }
      },
      missing_byte.release().ptr());
  m.def(
      "simd_levels",
      [] {
        std::vector<std::string> names;
        for (const SimdLevel level : simd_levels()) names.emplace_back(name_of(level));
        return names;
      },
      "The names of the SIMD levels that this machine has, the fastest last.");
  nb::exception<NotInCore>(m, "NotInCore");
  nb::class_<CharacterTrie>(m, "CharacterTrie", "The trie of a SentencePiece map, checked.")
      .def(
          "__init__",
          [](CharacterTrie* self, nb::handle units, nb::bytes replacements) {
            const bindings::Words words(units);
            new (self) CharacterTrie({words.data(), words.data() + words.size()},
                                     {replacements.c_str(), replacements.size()});
          },
          nb::arg("units"), nb::arg("replacements"),
          "ValueError if a look-up could leave the units, or runs in circles.")
      .def("keys", &keys_of, nb::arg("spaces"), nb::arg("most_bytes"), nb::arg("marks_are_text"),
           "The keys, for the rules of words.");
  nb::class_<MapKeys>(m, "MapKeys", "The keys of a SentencePiece map, for the rules of words.")
      .def_prop_ro(
          "characters",
          [](const MapKeys& self) {
            nb::typed<nb::dict, std::uint32_t, std::optional<nb::bytes>> out;
            for (const auto& [character, becomes] : self.characters) {
              if (becomes) {
                out[nb::int_(character)] = nb::bytes(becomes->data(), becomes->size());
              } else {
                out[nb::int_(character)] = nb::none();
              }
            }
            return out;
          },
          "What becomes of single characters; None for text with U+2581.")
      .def_ro("most", &MapKeys::most, "The number of characters of the longest key.")
      .def_prop_ro(
          "firsts", [](const MapKeys& self) { return places_of(self.firsts); },
          "The first characters of keys of several.")
      .def_prop_ro(
          "others", [](const MapKeys& self) { return places_of(self.others); },
          "Their other characters.")
      .def_ro("ends_within", &MapKeys::ends_within, "Whether keys end within a character.")
      .def_ro("has_mark", &MapKeys::has_mark, "Whether a cluster becomes text with U+2581.");
  nb::class_<WordRules>(m, "WordRules", "How raw text becomes words, character by character.")
      .def(
          "__init__",
          [](WordRules* self, nb::bytes pages, nb::bytes entries, nb::bytes blob) {
            auto* rules = new (self) WordRules();
            rules->pages.resize(pages.size() / 2);
            std::memcpy(rules->pages.data(), pages.c_str(), rules->pages.size() * 2);
            rules->entries.resize(entries.size() / 4);
            std::memcpy(rules->entries.data(), entries.c_str(), rules->entries.size() * 4);
            rules->blob.assign(blob.c_str(), blob.size());
          },
          nb::arg("pages"), nb::arg("entries"), nb::arg("blob"))
      .def(
          "set_clusters",
          [](WordRules& self, const CharacterTrie& map, std::vector<std::string> spaces) {
            self.keys = ClusterKeys(map, std::move(spaces));
          },
          nb::arg("map"), nb::arg("spaces"), "Look clusters up in a SentencePiece map.")
      .def(
          "set_marks",
          [](WordRules& self, nb::bytes marks, nb::bytes alone) {
            const auto assign = [](std::vector<std::uint8_t>& to, const nb::bytes& bits) {
              const auto* p = static_cast<const std::uint8_t*>(bits.data());
              to.assign(p, p + bits.size());
            };
            assign(self.marks, marks);
            assign(self.alone, alone);
          },
          nb::arg("marks"), nb::arg("alone"),
          "Set one bit a code point: what joins the one before in clusters, and what joins none.")
      .def_rw("apart", &WordRules::apart)
      .def_rw("has_signs", &WordRules::has_signs)
      .def_rw("contractions", &WordRules::contractions)
      .def_rw("ended", &WordRules::ended)
      .def_rw("spaced", &WordRules::spaced)
      .def_rw("drop_spaces", &WordRules::drop_spaces)
      .def_rw("prepend_each", &WordRules::prepend_each)
      .def_rw("collapse_spaces", &WordRules::collapse_spaces)
      .def_rw("prepend", &WordRules::prepend)
      .def_rw("normalizes", &WordRules::normalizes)
      .def_rw("trim_left", &WordRules::trim_left)
      .def_rw("trim_right", &WordRules::trim_right)
      .def_rw("strip_right", &WordRules::strip_right)
      .def_rw("joined", &WordRules::joined)
      .def_rw("summed", &WordRules::summed)
      .def_rw("longest_keys", &WordRules::longest_keys);
  nb::class_<NormalizerStep>(m, "NormalizerStep", "A step of a normalizer.")
      .def_static(
          "form",
          [](const std::string& name) {
            using Kind = NormalizerStep::Kind;
            constexpr std::pair<std::string_view, Kind> kForms[] = {
                {"nfc", Kind::Nfc}, {"nfd", Kind::Nfd}, {"nfkc", Kind::Nfkc}, {"nfkd", Kind::Nfkd}};
            for (const auto& [known, kind] : kForms) {
              if (name != known) continue;
              NormalizerStep step;
              step.kind = kind;
              return step;
            }
            throw std::invalid_argument("unknown normalization form: " + name);
          },
          nb::arg("name"), "A normalization form: nfc, nfd, nfkc or nfkd.")
      .def_static(
          "characters",
          [](std::unordered_map<std::uint32_t, std::string> becomes) {
            NormalizerStep step;
            step.characters = std::move(becomes);
            return step;
          },
          nb::arg("becomes"), "The replacements of the characters that change.")
      .def_static(
          "literal",
          [](std::string pattern, std::string content) {
            if (pattern.empty()) throw std::invalid_argument("an empty pattern");
            NormalizerStep step;
            step.kind = NormalizerStep::Kind::Literal;
            step.pattern = std::move(pattern);
            step.content = std::move(content);
            return step;
          },
          nb::arg("pattern"), nb::arg("content"), "Replaces a text.");
  nb::class_<WordMap>(m, "WordMap", "Word rules, checked.")
      .def(
          "__init__", [](WordMap* self, WordRules& rules) { new (self) WordMap(std::move(rules)); },
          nb::arg("rules"), "Move the rules here.")
      .def_static("behind_steps", &MapBehindSteps::make, nb::arg("steps"), nb::arg("behind"),
                  "A map with steps of a normalizer before it.")
      .def(
          "to_bytes",
          [](const WordMap& self) {
            const std::string found = write_word_map(self);
            return nb::bytes(found.data(), found.size());
          },
          "The rules as bytes, for a portable file.")
      .def_static(
          "from_bytes", [](nb::bytes data) { return read_word_map({data.c_str(), data.size()}); },
          nb::arg("data"), "Read what to_bytes() has written. ValueError for anything else.");
  nb::class_<EngineArguments>(m, "EngineArguments", "What an engine is built from.")
      .def(nb::init<>())
      .def_rw("spans", &EngineArguments::spans, nb::arg().none(),
              "What finds the spans; None if the caller does.")
      .def_rw("encoder", &EngineArguments::encoder, "The name of a native encoder.")
      .def_rw("long_encoder", &EngineArguments::long_encoder, "The encoder of long spans.")
      .def_rw("long_span", &EngineArguments::long_span, "Spans of more bytes are long.")
      .def_rw("nfc", &EngineArguments::nfc, "Whether text is normalized to NFC.")
      .def_rw("ignore_merges", &EngineArguments::ignore_merges)
      .def_rw("add_prefix_space", &EngineArguments::add_prefix_space)
      .def_rw("cache_bytes", &EngineArguments::cache_bytes, "The maximum size of the cache.")
      .def_rw("added", &EngineArguments::added, nb::arg().none(),
              "Blob, ends, ids, flags and order of the added tokens.")
      .def_rw("literals", &EngineArguments::literals,
              "Literals to match instead of the contents of added tokens, by their number.")
      .def_rw("prefix", &EngineArguments::prefix, "Ids before those of every text.")
      .def_rw("suffix", &EngineArguments::suffix, "Ids after those of every text.")
      .def_rw("words", &EngineArguments::words, nb::arg().none(),
              "How raw text becomes words; None if it is as tokens have it.")
      .def_rw("normalizer", &EngineArguments::normalizer, nb::arg().none(),
              "The steps that a text as a whole goes through first; None if there are none.")
      .def_rw("rewriting", &EngineArguments::rewriting, nb::arg().none(),
              "The steps that find the spans in a text of their own; None if others do.")
      .def_rw("cuts", &EngineArguments::cuts, "Whether spans end where no token crosses.")
      .def_rw("cuts_at_spaces", &EngineArguments::cuts_at_spaces,
              "Whether a span ends before each space, too.")
      .def_rw("space_mark", &EngineArguments::space_mark,
              "The character that the vocab spells a space as; empty if it is a space.")
      .def_rw("prepend", &EngineArguments::prepend,
              "Where a space is inserted before text: never, stretch, piece or first.")
      .def_rw("joins_bytes", &EngineArguments::joins_bytes,
              "Whether the joined bytes of the tokens are the text.")
      .def_rw("threads", &EngineArguments::threads, "The most threads for one text.")
      .def_rw("simd", &EngineArguments::simd, "The name of one of simd_levels().");
  nb::class_<PyEngine>(m, "Engine", "Text to ids and back, for one vocab and one set of options.")
      .def(nb::init<nb::handle_t<VocabTables>, const EngineArguments&>(), nb::arg("tables"),
           nb::arg("arguments"))
      .def("encode", &PyEngine::encode, nb::arg("text"), nb::arg("as_text").none())
      .def("encode_quickly", &PyEngine::encode_quickly, nb::arg("text").none(),
           nb::arg("special").none())
      .def("count_quickly", &PyEngine::count_quickly, nb::arg("text").none(),
           nb::arg("special").none())
      .def("decode_quickly", &PyEngine::decode_quickly, nb::arg("ids").none(), nb::arg("errors"),
           nb::arg("skip_special").none())
      .def("use_steps", &PyEngine::use_steps, nb::arg("steps"),
           "Decode with steps from now on: these, or those given before; returns the ones used.")
      .def("encode_to_numpy", &PyEngine::encode_to_numpy, nb::arg("text"),
           nb::arg("as_text").none())
      .def("count", &PyEngine::count, nb::arg("text"), nb::arg("as_text").none())
      .def("encode_batch", &PyEngine::encode_batch, nb::arg("texts"), nb::arg("as_text").none(),
           nb::arg("threads"))
      .def("count_batch", &PyEngine::count_batch, nb::arg("texts"), nb::arg("as_text").none(),
           nb::arg("threads"))
      .def("encode_batch_to_numpy", &PyEngine::encode_batch_to_numpy, nb::arg("texts"),
           nb::arg("as_text").none(), nb::arg("threads"))
      .def("encode_column", &PyEngine::encode_column, nb::arg("column").lock(),
           nb::arg("as_text").none(), nb::arg("threads"), nb::arg("into").lock(),
           "Encode the rows of a column into lists, reusing their memory.")
      .def("encode_with_offsets", &PyEngine::encode_with_offsets, nb::arg("text"),
           nb::arg("as_text").none())
      .def("encode_with_words", &PyEngine::encode_with_words, nb::arg("text"),
           nb::arg("as_text").none())
      .def("span_ends", &PyEngine::span_ends, nb::arg("text"))
      .def("encode_spans", &PyEngine::encode_spans, nb::arg("text"), nb::arg("ends"))
      .def("pieces", &PyEngine::pieces, nb::arg("text"), nb::arg("as_text").none())
      .def("decode", &PyEngine::decode, nb::arg("ids"), nb::arg("errors"),
           nb::arg("skip_special").none())
      .def("decode_bytes", &PyEngine::decode_bytes, nb::arg("ids"), nb::arg("skip_special").none())
      .def("token_bytes", &PyEngine::token_bytes, nb::arg("ids"), nb::arg("others"))
      .def("cache_info", &PyEngine::cache_info)
      .def("span_counts", &PyEngine::span_counts,
           nb::sig("def span_counts(self) -> dict[str, int]"))
      .def("cache_clear", &PyEngine::cache_clear);
  bindings::QuickMethod::bind(m);
}
