// Python bindings of vocab_tables.hpp, bundled.hpp, derived_merges.hpp, score_merges.hpp and
// ranks_file.hpp.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "buffers.hpp"
#include "gil.hpp"
#include "module.hpp"
#include "packed_tokens.hpp"
#include "wordsplit/tables/bundled.hpp"
#include "wordsplit/tables/derived_merges.hpp"
#include "wordsplit/tables/ranks_file.hpp"
#include "wordsplit/tables/score_merges.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace nb = nanobind;
using namespace wordsplit;
using bindings::bytes_of;
using bindings::Words;

namespace {

ModelKind kind_named(const std::string& name) {
  if (name == "bytes") return ModelKind::Bytes;
  if (name == "characters") return ModelKind::Characters;
  if (name == "unigram") return ModelKind::Unigram;
  if (name == "word_piece") return ModelKind::WordPiece;
  if (name == "word_level") return ModelKind::WordLevel;
  throw nb::value_error("no such kind of model");
}

// The tokens of a vocab, viewed, and the ids of the unreachable ones.
struct Tokens {
  Tokens(nb::handle blob, nb::handle ends, nb::handle ids, nb::handle unreachable_ids)
      : blob_(blob), ends(ends), ids(ids) {
    if (this->ends.size() != this->ids.size()) throw nb::value_error("sizes differ");
    const Words words(unreachable_ids);
    unreachable.assign(words.data(), words.data() + words.size());
  }
  std::string_view blob() const {
    return {reinterpret_cast<const char*>(blob_.bytes()), blob_.size_bytes()};
  }
  Words blob_, ends, ids;
  std::vector<std::uint32_t> unreachable;
};

using Scores = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// See the docstring below.
std::optional<bindings::PackedTable> pack_ranks(nb::dict ranks, std::uint32_t most) {
#ifdef Py_GIL_DISABLED
  ranks = nb::steal<nb::dict>(PyDict_Copy(ranks.ptr()));  // no other thread changes it
  if (!ranks.is_valid()) nb::raise_python_error();
#endif
  bindings::TokenPacker tokens(ranks.size());
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(ranks.ptr(), &at, &key, &value);) {
    if (!PyBytes_CheckExact(key) || !PyLong_CheckExact(value)) return std::nullopt;
    int overflow;
    const long long id = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow || id < 0 || id > most) return std::nullopt;
    tokens.bytes().append(PyBytes_AsString(key), static_cast<std::size_t>(PyBytes_Size(key)));
    tokens.add(static_cast<std::uint32_t>(id));
  }
  return tokens.packed();
}

}  // namespace

void bind_vocab_tables(nb::module_& m) {
  m.def(
      "unpack_bundled",
      [](nb::bytes data) {
        const Unpacked out = unpack_bundled({static_cast<const char*>(data.data()), data.size()});
        return std::tuple(nb::bytes(out.blob.data(), out.blob.size()), bytes_of(out.ends),
                          bytes_of(out.flat));
      },
      nb::arg("data"), "Blob, ends and flat merges of a bundled vocab, as 32-bit words.");
  m.def("pack_ranks", &pack_ranks, nb::arg("ranks"), nb::arg("most"),
        nb::sig("def pack_ranks(ranks: dict[bytes, int], most: int) -> tuple[bytes, bytes, bytes] "
                "| None"),
        "Blob, ends and ids of a dict of bytes to ids, in order of ids, as 32-bit words; None for "
        "other types, and if an id is above the maximum or listed twice.");
  m.def(
      "derive_merges",
      [](nb::object blob, nb::object ends, nb::object ids, nb::object unreachable_ids) {
        const Tokens t(blob, ends, ids, unreachable_ids);
        std::vector<std::uint32_t> flat;
        {
          const bindings::Unlocked unlocked;
          flat = derive_merges(t.blob(), t.ends.data(), t.ids.data(), t.ids.size(), t.unreachable);
        }
        return bytes_of(flat);
      },
      nb::arg("blob"), nb::arg("ends"), nb::arg("ids"), nb::arg("unreachable_ids"),
      "The flat merges of mergeable ranks, as 32-bit words.");
  m.def(
      "merges_of_scores",
      [](nb::object blob, nb::object ends, nb::object ids, nb::object given) {
        const Tokens t(blob, ends, ids, nb::bytes(""));
        const auto scores = nb::cast<Scores>(given);
        if (scores.size() != t.ids.size()) throw nb::value_error("sizes differ");
        ScoreMerges found;
        {
          const bindings::Unlocked unlocked;
          found = PieceDivider(t.blob(), t.ends.data(), t.ids.data(), scores.data(), t.ids.size())
                      .merges();
        }
        return std::tuple(bytes_of(found.flat), bytes_of(found.ranks), found.tied);
      },
      nb::arg("blob"), nb::arg("ends"), nb::arg("ids"), nb::arg("scores"),
      "The flat merges of pieces with scores and the ranks of these merges, as 32-bit words, and "
      "whether the ranks are needed.");
  m.def(
      "read_ranks",
      [](nb::bytes data, std::uint32_t most) -> std::optional<bindings::PackedTable> {
        const std::string_view view(data.c_str(), data.size());
        RanksFile file;
        bool sound;
        {
          const bindings::Unlocked unlocked;
          sound = read_ranks(view, most, file);
        }
        if (!sound) return std::nullopt;
        return bindings::PackedTable(nb::bytes(file.blob.data(), file.blob.size()),
                                     bytes_of(file.ends), bytes_of(file.ids));
      },
      nb::arg("data"), nb::arg("most"),
      "Blob, ends and ids of a .tiktoken file, as 32-bit words; None unless sound and sorted.");
  nb::class_<ModelRules>(m, "ModelRules",
                         "What determines the ids of a span besides tokens and merges.")
      .def(
          "__init__",
          [](ModelRules* self, const std::string& kind, std::optional<std::uint32_t> unk_id,
             const std::vector<std::uint32_t>& fallback) {
            auto* rules = new (self) ModelRules();
            rules->kind = kind_named(kind);
            rules->unk_id = unk_id.value_or(kNoToken);
            if (fallback.size() != 256 && !fallback.empty()) throw nb::value_error("sizes differ");
            std::copy(fallback.begin(), fallback.end(), rules->fallback);
          },
          nb::arg("kind") = "bytes", nb::arg("unk_id") = nb::none(),
          nb::arg("fallback") = std::vector<std::uint32_t>())
      .def(
          "set_missing",
          [](ModelRules& self) {
            self.missing = self.unk_id == kNoToken ? Missing::Nothing : Missing::Unknown;
          },
          "Let bytes without a token give the unknown token, or nothing if there is none.")
      .def_rw("first_virtual", &ModelRules::first_virtual)
      .def_rw("made_characters", &ModelRules::made_characters)
      .def_rw("fuse_unk", &ModelRules::fuse_unk)
      .def_rw("single_precision", &ModelRules::single_precision)
      .def_rw("unknown_score", &ModelRules::unknown_score)
      .def_rw("most_characters", &ModelRules::most_characters)
      .def(
          "set_prefix",
          [](ModelRules& self, nb::bytes prefix) {
            if (prefix.size() > sizeof self.prefix)
              throw nb::value_error("a prefix that is too long");
            self.prefix_size = static_cast<std::uint32_t>(prefix.size());
            std::memcpy(self.prefix, prefix.c_str(), prefix.size());
          },
          nb::arg("prefix"));
  nb::class_<VocabTables>(m, "VocabTables", "A vocab's look-up tables, immutable.")
      .def(
          "__init__",
          [](VocabTables* self, nb::object blob, nb::object ends, nb::object ids, nb::object merges,
             nb::object unreachable_ids, bool all_live, const ModelRules& model,
             nb::object scores) {
            const Tokens t(blob, ends, ids, unreachable_ids);
            const Words m(merges);
            if (m.size() % 2 != 0) throw nb::value_error("sizes differ");
            std::optional<Scores> given;
            std::span<const double> values;
            if (!scores.is_none()) {
              given = nb::cast<Scores>(scores);
              values = {given->data(), given->size()};
              if (values.size() != t.ids.size()) throw nb::value_error("sizes differ");
            }
            const bindings::Unlocked unlocked;
            new (self) VocabTables(t.blob(), t.ends.data(), t.ids.data(), t.ids.size(), m.data(),
                                   m.size() / 2, t.unreachable, all_live, model, values);
          },
          nb::arg("blob"), nb::arg("ends"), nb::arg("ids"), nb::arg("merges"),
          nb::arg("unreachable_ids"), nb::arg("all_live") = false, nb::arg("model") = ModelRules(),
          nb::arg("scores") = nb::none())
      .def(
          "made_by",
          [](const VocabTables& self, std::uint32_t id) {
            const MadeBy& made = self.made_by(id);
            return std::tuple(made.left, made.right, made.rank_plus_1);
          },
          nb::arg("id"), "Left, right and rank (plus one) of the live merge of a token.")
      .def(
          "has",
          [](const VocabTables& self, nb::bytes token) {
            const auto* const p = reinterpret_cast<const std::uint8_t*>(token.c_str());
            return self.find(p, token.size()) != kNoToken;
          },
          nb::arg("token"), "Whether a token that text can produce has these bytes.")
      .def_prop_ro("supports_backtracking", &VocabTables::supports_backtracking,
                   "Whether the parts of every token rank before it, as backtracking needs.")
      .def_prop_ro("out_of_order_token", &VocabTables::out_of_order_token,
                   "A token whose parts do not.");
}
