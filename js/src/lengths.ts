/** The lengths of encodings, as a vocab file saves them: truncation and padding. */

/** The truncation that the source of a vocab asks for. */
export interface Truncation {
  /** The largest number of ids, with those that are added to every text. */
  maxLength: number;
  /** How many ids each piece that is cut off shares with the one before. */
  stride: number;
  /** Which text of a pair to cut. */
  strategy: "longest_first" | "only_first" | "only_second";
  /** The side to cut off. */
  direction: "right" | "left";
}

/** The padding that the source of a vocab asks for. */
export interface Padding {
  /** The length of a row; undefined for the longest of a batch. */
  length: number | undefined;
  /** Rows are padded further, to a multiple of this number, unless it is 0 or undefined. */
  padToMultipleOf: number | undefined;
  /** The id to pad with. It need not be one of the vocab. */
  padId: number;
  /** The token of that id. */
  padToken: string;
  /** The type id of padding. */
  padTypeId: number;
  /** The side to pad. */
  direction: "right" | "left";
}
