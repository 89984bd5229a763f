// Every error that a caller gets, with the names of the Python package's:
//
//     WordsplitError (Error)
//     ├── UnknownNameError        no encoder, scheme or vocab of that name
//     ├── OptionsError            an option with an invalid value
//     ├── VocabFormatError        a damaged file: says which file, which field, what was found
//     ├── UnsupportedVocabError   a valid file that needs something unsupported
//     ├── InvalidTokenIdError     an id that is not in the vocab
//     ├── UnknownTokenError       a token, or a byte of the text, that the vocab lacks
//     ├── UnsupportedTextError    a text that only the Python package can encode exactly
//     ├── SpecialTokenError       a special token where `special: "error"` forbids it
//     ├── InputTypeError          an argument of a type that cannot be encoded or decoded
//     ├── InvalidTextError        bytes that are not UTF-8, under `errors: "strict"`
//     └── StreamFinishedError     ids pushed to a finished stream

/** Base class of all errors that wordsplit throws. */
export class WordsplitError extends Error {
  override readonly name: string = "WordsplitError"; // a minifier would change that of the class
  /** The index of the text in a batch that the error is about, from 0. */
  declare row?: number;

  /** Adds the index of a text in a batch, also to the message. */
  inRow(row: number): this {
    if (this.row === undefined) {
      this.row = row;
      this.message = `text ${row} of the batch: ${this.message}`;
    }
    return this;
  }
}

/** A name that the package does not know. */
export class UnknownNameError extends WordsplitError {
  override readonly name = "UnknownNameError";
}

/** An option with an invalid value. */
export class OptionsError extends WordsplitError {
  override readonly name = "OptionsError";
}

/** The place of an error in a file. */
export interface Place {
  /** The file's name or address; `undefined` for bytes in memory. */
  file?: string | undefined;
  /** The place in it: a JSON path, a GGUF key, a line or an offset. */
  field?: string | undefined;
}

class FileError extends WordsplitError {
  readonly file: string | undefined;
  readonly field: string;

  /** @param found What was found there, and why it is wrong. */
  constructor(
    readonly found: string,
    { file, field = "" }: Place = {},
  ) {
    super([file ?? "<bytes>", field, found].filter(Boolean).join(": "));
    this.file = file;
    this.field = field;
  }
}

/** A vocab file that is damaged, or whose parts contradict each other. */
export class VocabFormatError extends FileError {
  override readonly name = "VocabFormatError";
}

/** A valid vocab that needs something unsupported. */
export class UnsupportedVocabError extends FileError {
  override readonly name = "UnsupportedVocabError";
}

/** An id outside the vocab: negative, too large, or a hole. */
export class InvalidTokenIdError extends WordsplitError {
  override readonly name = "InvalidTokenIdError";
}

/** A token, or a byte of the text, that the vocab does not have. */
export class UnknownTokenError extends WordsplitError {
  override readonly name = "UnknownTokenError";
}

/**
 * A text that the engine cannot encode exactly: of a character model, with one that its rules treat by those around
 * it. The Python package encodes all texts.
 */
export class UnsupportedTextError extends WordsplitError {
  override readonly name = "UnsupportedTextError";
}

/** A special token in text, where `special: "error"` forbids it. */
export class SpecialTokenError extends WordsplitError {
  override readonly name = "SpecialTokenError";
}

/** An argument of a type that cannot be encoded or decoded. */
export class InputTypeError extends WordsplitError {
  override readonly name = "InputTypeError";
}

/** Text that is not valid Unicode: a lone surrogate, or bytes that are not UTF-8. */
export class InvalidTextError extends WordsplitError {
  override readonly name = "InvalidTextError";
}

/** Ids pushed to a stream after `finish`. */
export class StreamFinishedError extends WordsplitError {
  override readonly name = "StreamFinishedError";
}
