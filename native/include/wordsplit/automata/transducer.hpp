// Reads characters and says where spans end, one table look-up for two characters.
//
// A span automaton finds the end of the span that begins at a place, but often only after reading
// further characters, which the next attempt reads again. The transducer runs both at
// once. Its state, a Course, is an attempt and the course that takes over should that attempt end:
// it begins at the attempt's last match, or, without one, after its first character, which then
// belongs to no match. So each character is read once, and what is written is a bit for each place
// up to kBack characters back where a span ends.
//
// Where an attempt goes on for more than kBack characters after its last match (blanks after a
// line feed, when \s*\n may still find another), the end is written as it is, and the state says
// that it is not certain. If the attempt does match again, or if a course would need more than
// this, the transducer stops (kStop, or kTakeBack if the last end does not hold), and the span is
// found by a separate attempt (attempts.hpp). So its tables are small, and what it writes is
// what attempts would find.
//
// A text may be one of pieces, each of which is a text to the automaton. There is an edge
// between them, and after the last, in the place of characters; the piece before it always ends
// there.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "wordsplit/automata/span_automaton.hpp"

namespace wordsplit::automata {

class Transducer {
 public:
  // Ends are up to so many characters before the one that is read. Bit kBack - b of a move stands
  // for the place b characters before the character, in a move of two, before the first of them.
  static constexpr unsigned kBack = 3;
  // Rows of the tables, by number.
  static constexpr std::uint32_t kStop = 0, kTakeBack = 1;

  // A move: the next row, and ends.
  struct Move {
    std::uint32_t packed;
    static Move of(std::uint32_t row, std::uint32_t ends) { return {row << 8 | ends}; }
    std::uint32_t row() const { return packed >> 8; }
    std::uint32_t ends() const { return packed & 0xFF; }
  };

  explicit Transducer(const SpanAutomaton& automaton) : automaton_(automaton) {
    // A course with nothing read leads to all others. Rows are numbered as they are found.
    add_row(0);
    add_row(0);
    tentative_[kTakeBack] = true;
    for (unsigned cls = 0; cls <= automaton_.classes(); ++cls) {
      begins_.push_back(row_of(begin_at(automaton_.start(cls), false)));
    }
    for (unsigned cls = 0; cls < classes(); ++cls) {
      moves_[kTakeBack * classes() + cls] = Move::of(kTakeBack, 0);
    }
    for (std::size_t row = 2; row < courses_of_.size(); ++row) fill(row);
    make_pairs();
  }

  // Of characters, and of the edge, which is the last.
  unsigned classes() const { return automaton_.classes() + 1; }
  std::size_t rows() const { return courses_of_.size(); }
  // The row at the beginning of a span, after a character of a class or at the text's start.
  std::uint32_t begin(unsigned cls) const { return begins_[cls]; }
  Move move(std::uint32_t row, unsigned cls) const {
    return moves_[std::size_t{row} * classes() + cls];
  }
  // Whether the last end written is not certain.
  bool is_tentative(std::uint32_t row) const { return tentative_[row]; }

  // Moves of two characters, of which the first has class a, the second b: at a * classes() + b
  // from the place of a row on. Whether there are such tables: they could take too much memory.
  bool has_pairs() const { return !pair_to_.empty(); }
  std::uint32_t place_of(std::uint32_t row) const { return row * classes() * classes(); }
  std::uint32_t row_at(std::uint32_t place) const { return place / (classes() * classes()); }
  const std::uint32_t* pair_to() const { return pair_to_.data(); }  // places
  const std::uint8_t* pair_ends() const { return pair_ends_.data(); }
  // The place after most rows, for two classes.
  const std::uint32_t* usual_to() const { return usual_to_.data(); }

 private:
  using State = SpanAutomaton::State;
  static constexpr int kNone = -1;
  static constexpr std::size_t kMostRows = 2048, kMostCourses = 1 << 15;
  static constexpr std::size_t kMostPairs = 1 << 17;  // 512 KiB, of which few are read often
  static constexpr unsigned kDeepest = 6;

  struct Course {
    State state;        // of the attempt
    State here;         // in which an attempt would begin where the attempt is now
    bool matched;       // the attempt has a match
    bool in_gap;        // before the attempt is text that belongs to no match
    bool empty;         // the attempt has an empty match
    bool tentative;     // the end of its match has been written
    std::uint8_t back;  // characters since its last match, kBack + 1 at most
    std::uint8_t read;  // characters that it has read, kBack + 1 at most; without a gap, 1 at most
    int next;           // the course that takes over, or kNone if the attempt will match
    std::uint8_t depth;

    auto operator<=>(const Course&) const = default;
  };
  // Where a course goes: kNone if the transducer stops.
  struct Step {
    int course;
    std::uint32_t ends;
  };

  static constexpr std::uint32_t end_at(unsigned back) { return 1u << (kBack - back); }

  int intern(const Course& course) {
    const auto [at, is_new] = numbers_.emplace(course, static_cast<int>(courses_.size()));
    if (is_new) courses_.push_back(course);
    return at->second;
  }
  int begin_at(State start, bool in_gap) {
    return intern({start, start, false, in_gap, false, false, 0, 0, kNone, 1});
  }

  Step step(int number, unsigned cls) {
    constexpr Step kStopped{kNone, 0};
    Course course = courses_[static_cast<std::size_t>(number)];
    if (courses_.size() > kMostCourses) return kStopped;
    const State after = automaton_.start(cls);
    const auto [matched, to] = automaton_.move(course.state, cls);
    std::uint32_t ends = 0;
    if (matched && course.read == 0) course.empty = true;
    if (matched && course.read > 0) {
      if (course.tentative) return kStopped;
      if (!course.matched && course.in_gap) {
        if (course.read > kBack) return kStopped;
        ends |= end_at(course.read);
      }
      course.matched = true;
      course.back = 0;
      course.next = begin_at(course.here, false);
    }
    if (to == SpanAutomaton::kDead) {
      if (course.matched) {
        if (!course.tentative) ends |= end_at(course.back);
      } else {
        if (course.empty && course.in_gap) {
          if (course.read > kBack) return kStopped;
          ends |= end_at(course.read);
        }
        if (course.read == 0) return {begin_at(after, true), ends};
      }
      if (course.next == kNone) return kStopped;
      const Step rest = step(course.next, cls);
      return {rest.course, ends | rest.ends};
    }
    if (automaton_.is_certain(to)) {
      // It will match, so a match before does not count, except that text between matches has
      // ended.
      if (course.tentative) return kStopped;
      course.in_gap = course.in_gap && !course.matched;
      course.matched = false;
      course.next = kNone;
    } else {
      if (!course.matched && course.read == 0) {
        course.next = begin_at(after, true);
      } else {
        if (course.next == kNone) return kStopped;
        const Step rest = step(course.next, cls);
        if (rest.course == kNone || rest.ends) return kStopped;
        course.next = rest.course;
      }
    }
    if (course.matched && !course.tentative && course.back == kBack) {
      ends |= end_at(kBack);
      course.tentative = true;
    }
    const auto one_more = [](std::uint8_t count) {
      return static_cast<std::uint8_t>(count > kBack ? count : count + 1);
    };
    // What does not matter any more is the same in all courses, so that there are fewer.
    course.in_gap = course.in_gap && !course.matched;
    course.empty = course.empty && course.in_gap;
    course.back = course.matched ? one_more(course.back) : std::uint8_t{0};
    course.read = course.in_gap ? one_more(course.read) : std::uint8_t{1};
    course.state = to;
    course.here = after;
    course.depth = static_cast<std::uint8_t>(
        1 + (course.next == kNone ? 0 : courses_[static_cast<std::size_t>(course.next)].depth));
    if (course.depth > kDeepest) return kStopped;
    return {intern(course), ends};
  }

  // The ends that an edge gives, with kKnown; 0 if the transducer stops.
  static constexpr std::uint32_t kKnown = 0x80;
  std::uint32_t finish_course(int number) const {
    const Course& course = courses_[static_cast<std::size_t>(number)];
    const bool matched = automaton_.move(course.state, automaton_.edge()).matched;
    std::uint32_t ends = kKnown;
    if (matched && course.read > 0) {
      if (course.tentative) return 0;
      if (!course.matched && course.in_gap) {
        if (course.read > kBack) return 0;
        ends |= end_at(course.read);
      }
      return ends;
    }
    if (course.matched) {
      if (!course.tentative) ends |= end_at(course.back);
    } else if (course.read == 0) {
      return matched && course.in_gap ? ends | end_at(0) : ends;
    } else if (course.empty && course.in_gap) {
      if (course.read > kBack) return 0;
      ends |= end_at(course.read);
    }
    if (course.next == kNone) return 0;
    const std::uint32_t rest = finish_course(course.next);
    return rest ? ends | rest : 0;
  }

  void add_row(int course) {
    courses_of_.push_back(course);
    moves_.resize(courses_of_.size() * classes(), Move::of(kStop, 0));
    tentative_.push_back(false);
  }
  std::uint32_t row_of(int course) {
    const auto next = static_cast<std::uint32_t>(courses_of_.size());
    const auto [at, is_new] = rows_.emplace(course, next);
    if (is_new) {
      if (next >= kMostRows) {
        rows_.erase(at);
        return kStop;
      }
      add_row(course);
      tentative_.back() = courses_[static_cast<std::size_t>(course)].tentative;
    }
    return at->second;
  }
  void fill(std::size_t row) {
    const int course = courses_of_[row];
    // What the transducer stops at does not hold if the end before is not certain.
    const std::uint32_t stop = tentative_[row] ? kTakeBack : kStop;
    for (unsigned cls = 0; cls < automaton_.edge(); ++cls) {
      const Step found = step(course, cls);
      std::uint32_t to = found.course == kNone ? stop : row_of(found.course);
      std::uint32_t ends = found.ends;
      if (to <= kTakeBack) to = stop, ends = 0;
      moves_[row * classes() + cls] = Move::of(to, ends);
    }
    const std::uint32_t last = finish_course(course);
    moves_[row * classes() + automaton_.edge()] =
        last & kKnown ? Move::of(begins_[automaton_.edge()], (last & ~kKnown) | end_at(0))
                      : Move::of(stop, 0);
  }

  void make_pairs() {
    const std::size_t width = std::size_t{classes()} * classes();
    if (classes() >= 0x80 || rows() * width > kMostPairs) return;
    pair_to_.resize(rows() * width);
    pair_ends_.resize(rows() * width);
    usual_to_.resize(width);
    for (std::size_t pair = 0; pair < width; ++pair) {
      std::map<std::uint32_t, std::size_t> times;
      for (std::uint32_t row = 0; row < rows(); ++row) {
        const Move first = move(row, static_cast<unsigned>(pair / classes()));
        const Move second = move(first.row(), static_cast<unsigned>(pair % classes()));
        const std::uint32_t to = place_of(second.row());
        pair_to_[row * width + pair] = to;
        pair_ends_[row * width + pair] =
            static_cast<std::uint8_t>(first.ends() | second.ends() << 1);
        if (second.row() > kTakeBack) ++times[to];
      }
      std::size_t most = 0;
      for (const auto& [to, count] : times) {
        if (count > most) most = count, usual_to_[pair] = to;
      }
    }
  }

  const SpanAutomaton& automaton_;
  std::vector<Course> courses_;
  std::map<Course, int> numbers_;
  std::map<int, std::uint32_t> rows_;
  std::vector<int> courses_of_;
  std::vector<std::uint32_t> begins_;
  std::vector<Move> moves_;
  std::vector<bool> tentative_;
  std::vector<std::uint32_t> pair_to_;
  std::vector<std::uint8_t> pair_ends_;
  std::vector<std::uint32_t> usual_to_;
};

}  // namespace wordsplit::automata
